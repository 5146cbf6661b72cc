package dev.assay.forecast.arith;

import java.util.Arrays;

/**
 * How tokens choose experts: expert number i is chosen in proportion to i to the power of minus {@code skew}.
 *
 * @param skew 0 for uniform routing
 */
public record Routing(double skew) {
    /** All experts alike. */
    public static final Routing UNIFORM = new Routing(0);

    public Routing {
        if (!(skew >= 0) || skew > 4) {
            throw new IllegalArgumentException("routing skew is " + skew + "; expected 0 to 4");
        }
    }

    /** Probability that a token visits each expert; at most 1, and summing to {@code topK}. */
    double[] visits(int experts, int topK) {
        double[] weight = new double[experts];
        for (int i = 0; i < experts; i++) {
            weight[i] = Math.pow(i + 1.0, -skew);
        }
        double[] visits = new double[experts];
        int certain = 0;
        // Popular experts that would be visited more than once are visited once, and the rest share what is left.
        while (true) {
            double sum = Arrays.stream(weight, certain, experts).sum();
            boolean more = false;
            for (int i = certain; i < experts; i++) {
                visits[i] = (topK - certain) * weight[i] / sum;
            }
            while (certain < experts && visits[certain] > 1 && certain < topK) {
                visits[certain++] = 1;
                more = true;
            }
            if (!more) {
                return visits;
            }
        }
    }

    /** Expected number of different experts that {@code tokens} tokens visit. */
    public double distinct(int experts, int topK, double tokens) {
        return distinctOn(experts, topK, tokens, 1, 0);
    }

    /** The same for the experts of one of {@code devices}, dealt in turn by popularity. */
    public double distinctOn(int experts, int topK, double tokens, int devices, int device) {
        if (skew == 0) {
            return experts / (double) devices
                    * -Math.expm1(tokens * Math.log1p(-Math.min(1 - 1e-15, (double) topK / experts)));
        }
        double[] visits = visits(experts, topK);
        double sum = 0;
        for (int i = device; i < experts; i += devices) {
            sum -= Math.expm1(tokens * Math.log1p(-Math.min(visits[i], 1 - 1e-15)));
        }
        return sum;
    }

    /** Share of all expert visits that the busiest of {@code devices} has; 1/devices for uniform routing. */
    public double busiestShare(int experts, int topK, int devices) {
        if (skew == 0) {
            return 1.0 / devices;
        }
        double[] visits = visits(experts, topK);
        double sum = 0;
        for (int i = 0; i < experts; i += devices) {
            sum += visits[i];
        }
        return sum / topK;
    }
}
