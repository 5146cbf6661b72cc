package dev.assay.forecast;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that a calibration was given.
 *
 * @param runs those with every token's time
 * @param points load points by their summaries; the runs have theirs here too
 * @param steps step times of profiles
 * @param notes what was found odd or left out on reading
 */
public record Evidence(List<CalibrationRun> runs, List<LoadPoint> points, List<StepSample> steps,
        List<String> notes) {
    public Evidence {
        runs = List.copyOf(runs);
        points = List.copyOf(points);
        steps = List.copyOf(steps);
        notes = List.copyOf(notes);
        if (runs.isEmpty() && points.isEmpty() && steps.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing to calibrate from; expected at least one load point or step");
        }
    }

    /** Both together. */
    public Evidence and(Evidence other) {
        return new Evidence(joined(runs, other.runs), joined(points, other.points),
                joined(steps, other.steps), joined(notes, other.notes));
    }

    private static <T> List<T> joined(List<T> a, List<T> b) {
        List<T> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    /** The load points that are known by their summary only. */
    public List<LoadPoint> summaries() {
        return runs.isEmpty()
                ? points
                : points.stream().filter(p -> p.kind() != EvidenceKind.RUN).toList();
    }

    /** Points and steps together. */
    public int size() {
        return points.size() + steps.size();
    }

    /** Nanoseconds of a token or step, points first, then steps. */
    public double nanos(int i) {
        return i < points.size() ? 1e6 * points.get(i).tpotMs() : step(i).nanos();
    }

    /** Relative standard deviation of {@link #nanos}. */
    public double relativeSd(int i) {
        return i < points.size() ? points.get(i).relativeSd() : step(i).relativeSd();
    }

    /** Where it was read. */
    public String source(int i) {
        return i < points.size() ? points.get(i).source() : step(i).source();
    }

    /** The step behind all points. */
    public StepSample step(int i) {
        return steps.get(i - points.size());
    }

    /** What it spans under an engine that runs at most {@code cap} sequences. */
    public EvidenceRegion region(int cap) {
        double[] rows = {Double.MAX_VALUE, 0};
        double[] context = {Double.MAX_VALUE, 0};
        double[] rps = {Double.MAX_VALUE, 0};
        double prompt = 0;
        for (LoadPoint p : points) {
            widen(rows, p.rows(cap));
            widen(context, p.context());
            widen(rps, p.requestsPerS());
            prompt = Math.max(prompt, p.meanInput());
        }
        for (StepSample s : steps) {
            widen(rows, s.rows());
            widen(context, s.context());
        }
        return new EvidenceRegion(rows[0], rows[1], context[0], context[1], rps[1] == 0 ? 0 : rps[0], rps[1],
                prompt);
    }

    private static void widen(double[] range, double value) {
        range[0] = Math.min(range[0], value);
        range[1] = Math.max(range[1], value);
    }

    /** What it is, in words. */
    public String words() {
        Map<EvidenceKind, Integer> counts = new EnumMap<>(EvidenceKind.class);
        points.forEach(p -> counts.merge(p.kind(), 1, Integer::sum));
        steps.forEach(_ -> counts.merge(EvidenceKind.PROFILE, 1, Integer::sum));
        return String.join(", ",
                counts.entrySet().stream().map(e -> e.getKey().counted(e.getValue())).toList());
    }
}
