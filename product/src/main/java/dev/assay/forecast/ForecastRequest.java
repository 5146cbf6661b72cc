package dev.assay.forecast;

import dev.assay.model.ModelShape;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import java.util.List;

/**
 * What is to be forecast.
 *
 * @param shape of the model, the same in both arms
 * @param calibration of the baseline
 * @param loadPoints requests per second
 * @param slotSeconds how long requests arrive in one slot
 * @param blocks planned; each gives two slots an arm and one log ratio
 * @param seed of all draws
 * @param measured what the author measured beside the server
 * @param arrivals how requests arrive at each load point
 */
public record ForecastRequest(ModelShape shape, EngineSettings baseline, EngineSettings candidate,
        Calibration calibration, WorkloadSpec workload, List<Double> loadPoints, Slo slo, double slotSeconds,
        int blocks, long seed, LocalMeasurements measured, ArrivalLaw arrivals) {
    public ForecastRequest {
        loadPoints = List.copyOf(loadPoints);
        if (loadPoints.isEmpty() || !loadPoints.stream().allMatch(p -> p > 0)) {
            throw new IllegalArgumentException("load_points is " + loadPoints + "; expected rates above 0");
        }
        if (!(slotSeconds > 0) || blocks < 1) {
            throw new IllegalArgumentException(
                    "slot_seconds is " + slotSeconds + " and blocks " + blocks
                            + "; expected above 0 and at least 1");
        }
        if (!baseline.equals(calibration.baseline())) {
            throw new IllegalArgumentException("the calibration is of " + calibration.baseline()
                    + "; expected the baseline's settings " + baseline);
        }
    }

    /** A request with Poisson arrivals. */
    public ForecastRequest(ModelShape shape, EngineSettings baseline, EngineSettings candidate,
            Calibration calibration, WorkloadSpec workload, List<Double> loadPoints, Slo slo,
            double slotSeconds, int blocks, long seed, LocalMeasurements measured) {
        this(shape, baseline, candidate, calibration, workload, loadPoints, slo, slotSeconds, blocks, seed,
                measured, new ArrivalLaw.Poisson());
    }

    /** A request with Poisson arrivals where nothing was measured beside the server. */
    public ForecastRequest(ModelShape shape, EngineSettings baseline, EngineSettings candidate,
            Calibration calibration, WorkloadSpec workload, List<Double> loadPoints, Slo slo,
            double slotSeconds, int blocks, long seed) {
        this(shape, baseline, candidate, calibration, workload, loadPoints, slo, slotSeconds, blocks, seed,
                LocalMeasurements.NONE);
    }
}
