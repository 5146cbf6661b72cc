package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.forecast.EngineSettings;
import dev.assay.forecast.MetricNames;
import dev.assay.forecast.TwinCheck;
import dev.assay.load.RequestLog;
import dev.assay.workload.RequestOutcome;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How near the twin comes to a measured review, arm by arm and load point by load point: each valid slot is replayed with
 * its own arrivals under the calibration of the baseline, and the geometric mean over the slots of a point is compared.
 */
public final class TwinSlots {
    /** What is compared. */
    public static final List<String> METRICS = List.of(MetricNames.TPOT_P50, MetricNames.TTFT_P50,
            MetricNames.GOODPUT);

    private TwinSlots() {}

    /** One metric of one arm at one load point. */
    public record Pair(double observed, double twin) {
        /** Size of the twin's error as a share of what was observed. */
        public double error() {
            return Math.abs(twin / observed - 1);
        }
    }

    /**
     * One arm at one load point.
     *
     * @param slots that were replayed
     * @param metrics those that are defined and above 0 on both sides
     */
    public record Point(Arm arm, double offeredRps, int slots, Map<String, Pair> metrics) {}

    /** All points of a review, baseline first. */
    public static List<Point> of(ReviewFiles files) {
        State state = State.of(Journal.read(files.directory()));
        if (state.seal().isEmpty() || state.results().stream().noneMatch(SlotResult::admissible)) {
            throw AssayException
                    .evidence(files.directory() + ": no valid slot of a sealed review; expected one that was"
                            + " measured");
        }
        Proposal proposal = files.proposal();
        Prediction prediction = files.prediction();
        Map<SlotKey, Sums> sums = new TreeMap<>(
                Comparator.comparing(SlotKey::arm).thenComparingInt(SlotKey::point));
        for (SlotResult slot : state.results()) {
            if (!slot.admissible()) {
                continue;
            }
            List<RequestOutcome> outcomes = RequestLog
                    .read(files.evidence().path(slot.evidence().getFirst()));
            Proposal.ArmSpec arm = slot.key().arm() == Arm.BASELINE
                    ? proposal.arms().baseline()
                    : proposal.arms().candidate();
            EngineSettings settings = arm.settings();
            sums.computeIfAbsent(slot.key(), key -> new Sums(key.arm(), slot.offeredRps()))
                    .add(TwinCheck.measured(outcomes, proposal.slo()), TwinCheck.replayed(prediction.shape(),
                            prediction.calibration(), settings, proposal.local(), outcomes, proposal.slo()));
        }
        return sums.values().stream().map(Sums::point).toList();
    }

    /** Logarithms over the slots of a point. */
    private static final class Sums {
        private final Arm arm;
        private final double rate;
        private final Map<String, double[]> logs = new LinkedHashMap<>();
        private int slots;

        Sums(Arm arm, double rate) {
            this.arm = arm;
            this.rate = rate;
        }

        void add(Map<String, Double> observed, Map<String, Double> twin) {
            slots++;
            for (String name : METRICS) {
                double o = observed.getOrDefault(name, 0.0);
                double t = twin.getOrDefault(name, 0.0);
                if (o > 0 && t > 0) {
                    double[] sum = logs.computeIfAbsent(name, _ -> new double[3]);
                    sum[0] += Math.log(o);
                    sum[1] += Math.log(t);
                    sum[2]++;
                }
            }
        }

        Point point() {
            Map<String, Pair> metrics = new LinkedHashMap<>();
            logs.forEach(
                    (name, s) -> metrics.put(name, new Pair(Math.exp(s[0] / s[2]), Math.exp(s[1] / s[2]))));
            return new Point(arm, rate, slots, metrics);
        }
    }
}
