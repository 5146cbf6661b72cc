package dev.assay.workload;

/**
 * How many tokens a prompt or an answer has. As text: {@code 64}, {@code uniform:20,136},
 * {@code lognormal:MEDIAN,SIGMA,MIN,MAX}.
 */
public sealed interface LengthDistribution {
    /** Always the same. */
    record Constant(int tokens) implements LengthDistribution {
        public Constant {
            atLeastOne("tokens", tokens);
        }
    }

    /** Each whole number from {@code min} to {@code max}, both included, equally often. */
    record Uniform(int min, int max) implements LengthDistribution {
        public Uniform {
            atLeastOne("min", min);
            if (max < min) {
                throw new IllegalArgumentException("max is " + max + "; expected at least min, " + min);
            }
        }
    }

    /** Log-normal with the given median and standard deviation of the logarithm, rounded, cut to [min, max]. */
    record Lognormal(double median, double sigma, int min, int max) implements LengthDistribution {
        public Lognormal {
            atLeastOne("min", min);
            if (!(median >= 1) || !(sigma >= 0) || max < min) {
                throw new IllegalArgumentException("lognormal:" + median + "," + sigma + "," + min + "," + max
                        + "; expected median of at least 1, sigma of at least 0, max of at least min");
            }
        }
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; expected 1 or more");
        }
    }
}
