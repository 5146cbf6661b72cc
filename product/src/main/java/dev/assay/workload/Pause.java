package dev.assay.workload;

import dev.assay.AssayException;
import java.util.SplittableRandom;

/** How long a user thinks between an answer and the next request. As text, in seconds: {@code 2}, {@code exponential:2}. */
public sealed interface Pause {
    /** No pause at all. */
    static Pause none() {
        return new Constant(0);
    }

    /** Always the same. */
    record Constant(long nanos) implements Pause {
        public Constant {
            if (nanos < 0) {
                throw new IllegalArgumentException("the pause is " + nanos + " ns; expected 0 or more");
            }
        }
    }

    /** Exponential with this mean. */
    record Exponential(long meanNanos) implements Pause {
        public Exponential {
            if (meanNanos < 1) {
                throw new IllegalArgumentException(
                        "the mean pause is " + meanNanos + " ns; expected more than 0");
            }
        }
    }

    /** One pause. */
    default long nanos(SplittableRandom random) {
        return switch (this) {
            case Constant c -> c.nanos();
            case Exponential e -> Math.round(-Math.log(1 - random.nextDouble()) * e.meanNanos());
        };
    }

    /** The pause of a text such as {@code 2} or {@code exponential:2}, in seconds; a misuse names what is wrong. */
    static Pause parse(String text) {
        String[] parts = text.strip().split(":", 2);
        boolean exponential = parts.length == 2 && parts[0].equals("exponential");
        try {
            if (parts.length == 1 || exponential) {
                double seconds = Double.parseDouble(parts[parts.length - 1]);
                if (seconds >= 0 && seconds < 1e9 && !(exponential && seconds == 0)) {
                    long nanos = Math.round(seconds * 1e9);
                    return exponential ? new Exponential(nanos) : new Constant(nanos);
                }
            }
        } catch (NumberFormatException e) {
            throw fault(text);
        }
        throw fault(text);
    }

    private static AssayException fault(String text) {
        return AssayException
                .misuse("pause '" + text
                        + "'; expected seconds such as 2, or exponential:MEAN such as exponential:2");
    }
}
