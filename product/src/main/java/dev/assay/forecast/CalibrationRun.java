package dev.assay.forecast;

import dev.assay.workload.RequestOutcome;
import java.util.List;
import java.util.Map;

/**
 * One slot of the baseline arm, as the client saw it.
 *
 * @param offeredRps requests per second offered
 * @param outcomes what came back
 * @param telemetry what the server said of the slot, by the names of {@link TelemetryNames}; may be empty
 */
public record CalibrationRun(double offeredRps, List<RequestOutcome> outcomes,
        Map<String, Double> telemetry) {
    public CalibrationRun {
        if (!(offeredRps > 0)) {
            throw new IllegalArgumentException("offered_rps is " + offeredRps + "; expected more than 0");
        }
        outcomes = List.copyOf(outcomes);
        telemetry = Map.copyOf(telemetry);
    }
}
