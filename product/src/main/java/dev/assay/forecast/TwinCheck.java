package dev.assay.forecast;

import dev.assay.model.ModelShape;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.util.List;
import java.util.Map;

/**
 * Replays measured slots, arrival by arrival, in either arm: how near the twin comes where the luck of the arrivals and
 * the served lengths are the same on both sides.
 */
public final class TwinCheck {
    private TwinCheck() {}

    /**
     * The metrics of a slot's requests under the central constants of the baseline's calibration.
     *
     * @param arm the settings of the arm that served them
     * @param outcomes of the slot; those that failed are replayed with the lengths they asked for
     */
    public static Map<String, Double> replayed(ModelShape shape, Calibration c, EngineSettings arm,
            LocalMeasurements measured, List<RequestOutcome> outcomes, Slo slo) {
        Schedule schedule = Replays.served(outcomes);
        CostModel cost = CostModel.of(shape, c.baseline(), arm, c.constants(),
                CostModel.Variation.none(c.region().maxDecodeRows()),
                Effects.of(c.baseline(), arm, measured, Effects.Deviates.CENTRAL));
        double[] jitter = c.jitter().stream().mapToDouble(Double::doubleValue).toArray();
        return MetricValues
                .of(new Twin(arm.scheduler(schedule.longestTokens()), cost, c.ttftOverheadNanos(), jitter)
                        .run(schedule, Long.MAX_VALUE, 0), slo);
    }

    /** The same metrics as the client measured them. */
    public static Map<String, Double> measured(List<RequestOutcome> outcomes, Slo slo) {
        return MetricValues.client(outcomes, slo);
    }
}
