package dev.assay.workload;

import dev.assay.AssayException;
import java.util.SplittableRandom;

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

    /** One length. */
    default int sample(SplittableRandom random) {
        return switch (this) {
            case Constant c -> c.tokens();
            case Uniform u -> random.nextInt(u.min(), u.max() + 1);
            case Lognormal l -> Math.clamp(
                    Math.round(l.median() * Math.exp(l.sigma() * random.nextGaussian())), l.min(), l.max());
        };
    }

    /** The distribution of a text such as {@code 64} or {@code uniform:20,136}; a misuse names what is wrong. */
    static LengthDistribution parse(String text) {
        String[] parts = text.strip().split("[:,]");
        try {
            if (parts.length == 1) {
                return new Constant(Integer.parseInt(parts[0].strip()));
            }
            if (parts[0].equals("uniform") && parts.length == 3) {
                return new Uniform(Integer.parseInt(parts[1].strip()), Integer.parseInt(parts[2].strip()));
            }
            if (parts[0].equals("lognormal") && parts.length == 5) {
                return new Lognormal(Double.parseDouble(parts[1]), Double.parseDouble(parts[2]),
                        Integer.parseInt(parts[3].strip()), Integer.parseInt(parts[4].strip()));
            }
        } catch (NumberFormatException e) {
            throw AssayException.misuse("length '" + text + "': a number in it is not readable; " + FORMS);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("length '" + text + "': " + e.getMessage());
        }
        throw AssayException.misuse("length '" + text + "'; " + FORMS);
    }

    /** The texts that {@link #parse} reads, for a message. */
    String FORMS = "expected N, uniform:MIN,MAX or lognormal:MEDIAN,SIGMA,MIN,MAX";

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; expected 1 or more");
        }
    }
}
