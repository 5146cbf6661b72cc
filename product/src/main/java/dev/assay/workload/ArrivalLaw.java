package dev.assay.workload;

import java.util.Locale;

/**
 * How requests arrive, whatever their rate: what a review states once and every load point of it gives its rate to. In
 * files an object with a {@code kind}: {@code poisson}, {@code gamma}, {@code constant} or {@code trace}.
 */
public sealed interface ArrivalLaw {
    /** Independent exponential gaps. */
    record Poisson() implements ArrivalLaw {}

    /** Gamma gaps of shape {@code burstiness}: 1 is Poisson, less is burstier, more is evener. */
    record Gamma(double burstiness) implements ArrivalLaw {
        /** Below, a slot holds one burst or none; above, gaps are equal for all that a server can tell. */
        private static final double LEAST = 0.05;
        private static final double MOST = 100;

        public Gamma {
            if (!(burstiness >= LEAST && burstiness <= MOST)) {
                throw new IllegalArgumentException(
                        "burstiness is " + burstiness + "; expected " + LEAST + " to " + Math.round(MOST));
            }
        }
    }

    /** Equal gaps. */
    record Constant() implements ArrivalLaw {}

    /** The gaps that the workload's trace recorded, all stretched alike. */
    record Trace() implements ArrivalLaw {}

    /** The process of this law with so many arrivals a second in the mean. */
    default Arrivals at(double ratePerS) {
        return switch (this) {
            case Poisson _ -> new Arrivals.Poisson(ratePerS);
            case Gamma g -> new Arrivals.Gamma(ratePerS, g.burstiness());
            case Constant _ -> new Arrivals.Constant(ratePerS);
            case Trace _ -> new Arrivals.Pattern(ratePerS);
        };
    }

    /** The law in words that can begin a sentence. */
    default String words() {
        return switch (this) {
            case Poisson _ -> "Poisson arrivals";
            case Gamma g -> String.format(Locale.ROOT,
                    "Gamma arrivals of burstiness %s (gaps vary by %.0f %%)", number(g.burstiness()),
                    100 / Math.sqrt(g.burstiness()));
            case Constant _ -> "Arrivals at equal gaps";
            case Trace _ -> "The trace's own arrivals, stretched";
        };
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
