package dev.assay.profile;

import dev.assay.AssayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Steps of one batch that decode only.
 *
 * @param rows sequences; absent where the profile does not tell
 * @param context tokens that one attends in the mean; absent where the profile does not tell
 * @param nanos the median time of a step
 * @param steps how many
 * @param whole whether the time is that from one step's begin to the next's, else that of the device's work in a step
 */
public record DecodeSteps(OptionalInt rows, OptionalDouble context, double nanos, int steps,
        boolean whole) {
    /** Where stacks were recorded, a device less busy than this waited for the profiler. */
    private static final double LEAST_BUSY = 0.5;
    /** A pause of so many steps' spans is no part of a step. */
    private static final double PAUSE = 4;

    /**
     * The decode steps of a profile by batch.
     *
     * @param stacks whether Python stacks were recorded, which slows the host
     * @throws AssayException where no step's time can be told
     */
    public static List<DecodeSteps> of(List<ProfiledStep> steps, boolean stacks, String source) {
        Map<Integer, List<double[]>> byRows = new TreeMap<>();
        Map<Integer, List<double[]>> alone = new TreeMap<>();
        int prompts = 0;
        double busy = 1;
        for (int i = 0; i < steps.size(); i++) {
            ProfiledStep s = steps.get(i);
            if (s.shape().prompts().orElse(0) > 0) {
                prompts++;
                continue;
            }
            double share = s.busyNanos() / (double) s.spanNanos();
            if (stacks && share < LEAST_BUSY) {
                busy = Math.min(busy, share);
                continue;
            }
            int rows = s.shape().rows().orElse(0);
            double[] value = {s.spanNanos(), s.shape().kvTokens().orElse(-1)};
            alone.computeIfAbsent(rows, _ -> new ArrayList<>()).add(value);
            if (i + 1 < steps.size()
                    && steps.get(i + 1).startNanos() - s.startNanos() < PAUSE * s.spanNanos()) {
                byRows.computeIfAbsent(rows, _ -> new ArrayList<>()).add(
                        new double[]{steps.get(i + 1).startNanos() - (double) s.startNanos(), value[1]});
            }
        }
        if (alone.isEmpty()) {
            throw AssayException.evidence(busy < 1
                    ? String.format(Locale.ROOT,
                            "%s: the device is busy in %.0f %% of a step and Python stacks"
                                    + " were recorded, so that its time is the profiler's; expected a profile without"
                                    + " stacks (with_stack false)",
                            source, 100 * busy)
                    : source + ": " + prompts + " of " + steps.size()
                            + " steps compute prompts; expected steps"
                            + " that only decode");
        }
        List<DecodeSteps> groups = new ArrayList<>();
        alone.forEach((rows, spans) -> {
            List<double[]> whole = byRows.getOrDefault(rows, List.of());
            groups.add(group(rows, whole.isEmpty() ? spans : whole, !whole.isEmpty()));
        });
        return groups;
    }

    private static DecodeSteps group(int rows, List<double[]> values, boolean whole) {
        double[] nanos = values.stream().mapToDouble(v -> v[0]).sorted().toArray();
        OptionalDouble kv = values.stream().mapToDouble(v -> v[1]).filter(v -> v >= 0).average();
        return new DecodeSteps(rows == 0 ? OptionalInt.empty() : OptionalInt.of(rows),
                kv.isPresent() && rows > 0
                        ? OptionalDouble.of(kv.getAsDouble() / rows)
                        : OptionalDouble.empty(),
                nanos[nanos.length / 2], nanos.length, whole);
    }
}
