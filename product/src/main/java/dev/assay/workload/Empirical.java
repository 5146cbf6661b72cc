package dev.assay.workload;

import dev.assay.AssayException;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A distribution of lengths as counted: values with their shares. */
final class Empirical {
    private final int[] values;
    private final double[] cumulative;

    private Empirical(int[] values, double[] cumulative) {
        this.values = values;
        this.cumulative = cumulative;
    }

    /** From a text such as {@code {224: 0.25, 225: 0.75}}; shares need not add up to one. */
    static Empirical parse(String text, String place) {
        String inner = text.strip();
        if (!inner.startsWith("{") || !inner.endsWith("}")) {
            throw fault(text, place);
        }
        String[] pairs = inner.substring(1, inner.length() - 1).split(",");
        int[] values = new int[pairs.length];
        double[] cumulative = new double[pairs.length];
        double sum = 0;
        int n = 0;
        for (String pair : pairs) {
            int colon = pair.indexOf(':');
            try {
                if (colon > 0) {
                    double share = Double.parseDouble(pair.substring(colon + 1).strip());
                    int value = TraceRows.tokens(Long.parseLong(pair.substring(0, colon).strip()), "length",
                            place);
                    if (!(share >= 0) || Double.isInfinite(share)) {
                        throw fault(pair, place);
                    }
                    if (value > 0 && share > 0) {
                        sum += share;
                        values[n] = value;
                        cumulative[n++] = sum;
                    }
                } else if (!pair.isBlank()) {
                    throw fault(pair, place);
                }
            } catch (NumberFormatException e) {
                throw fault(pair, place);
            }
        }
        return new Empirical(Arrays.copyOf(values, n), Arrays.copyOf(cumulative, n));
    }

    boolean isEmpty() {
        return values.length == 0;
    }

    int sample(SplittableRandom random) {
        double at = random.nextDouble() * cumulative[cumulative.length - 1];
        int found = Arrays.binarySearch(cumulative, at);
        return values[Math.min(values.length - 1, found >= 0 ? found + 1 : -found - 1)];
    }

    double mean() {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i] * (cumulative[i] - (i == 0 ? 0 : cumulative[i - 1]));
        }
        return sum / cumulative[cumulative.length - 1];
    }

    private static AssayException fault(String text, String place) {
        return AssayException.misuse(place + ": expected lengths with shares such as {224: 0.25}, found '"
                + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "'");
    }
}
