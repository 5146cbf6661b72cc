package dev.assay.forecast.arms;

import dev.assay.AssayException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The region over load and prompt length in which a candidate helps, hurts or cannot be told apart.
 *
 * @param loads of the columns
 * @param inputs prompt lengths of the rows
 * @param rows one character for each column: {@code +}, {@code -}, {@code .}, or {@code x} where an arm cannot serve
 */
public record Surface(ArmPair.Axis axis, Outcome outcome, double limit, List<Double> loads,
        List<Integer> inputs,
        List<String> rows) {
    /** An arm cannot serve requests of that length. */
    public static final char NOT_SERVED = 'x';

    public Surface {
        loads = List.copyOf(loads);
        inputs = List.copyOf(inputs);
        rows = List.copyOf(rows);
    }

    /**
     * Computes a map.
     *
     * @param pairs the pair at a prompt length; a fault marks the row as not served
     * @param limit effects below it cannot be told apart
     */
    public static Surface of(ArmPair.Axis axis, Outcome outcome, double limit, List<Double> loads,
            List<Integer> inputs, IntFunction<ArmPair> pairs) {
        List<String> rows = new ArrayList<>();
        for (int input : inputs) {
            StringBuilder row = new StringBuilder();
            try {
                ArmPair pair = pairs.apply(input);
                loads.forEach(load -> row.append(pair.verdict(axis, load, outcome, limit).mark()));
            } catch (AssayException e) {
                row.append(String.valueOf(NOT_SERVED).repeat(loads.size()));
            }
            rows.add(row.toString());
        }
        return new Surface(axis, outcome, limit, loads, inputs, rows);
    }

    /** {@code count} numbers from {@code low} to {@code high}, evenly on a logarithmic scale. */
    public static List<Double> scale(double low, double high, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> count == 1 ? low : low * Math.pow(high / low, (double) i / (count - 1)))
                .toList();
    }
}
