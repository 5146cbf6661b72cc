package dev.assay.forecast;

import dev.assay.model.ModelShape;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Request;
import dev.assay.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The 28M model, settings and slots that the tests share. */
final class Fixtures {
    /** The 28M model of the measured step times: d 512, 8 layers, 8 heads over 4 KV heads, FFN 1408. */
    static final ModelShape SHAPE = new ModelShape(8, 512, 8, 4, 64, 1408, 4096, 2048, 10_000, 1e-5, true);
    static final WorkloadSpec WORKLOAD = WorkloadSpec.of(new LengthDistribution.Uniform(20, 76),
            new LengthDistribution.Uniform(24, 72));
    static final double SLOT_SECONDS = 6;

    private Fixtures() {}

    /** The entry of that name, which must be there. */
    static <V> V at(Map<String, V> map, String name) {
        return Optional.ofNullable(map.get(name))
                .orElseThrow(() -> new AssertionError(name + " is not in " + map));
    }

    static EngineSettings settings(int cap) {
        return new EngineSettings(cap, 512, 16, Optional.empty(), QuantFormat.F32, QuantFormat.F32);
    }

    static EngineSettings settings(int cap, QuantFormat weights) {
        return new EngineSettings(cap, 512, 16, Optional.empty(), weights, QuantFormat.F32);
    }

    static List<Request> schedule(double rate, double seconds, long seed) {
        return WORKLOAD.schedule(new Arrivals.Poisson(rate), new Extent.Lasting(Math.round(seconds * 1e9)),
                seed,
                dev.assay.workload.Calibration.ASSUMED);
    }

    /** Two slots at each rate. */
    static List<CalibrationRun> slots(SyntheticServer server, List<Double> rates, long seed) {
        List<CalibrationRun> runs = new ArrayList<>();
        for (int repeat = 0; repeat < 2; repeat++) {
            for (double rate : rates) {
                long s = seed * 1000 + runs.size();
                runs.add(
                        new CalibrationRun(rate, server.serve(schedule(rate, SLOT_SECONDS, s), s), Map.of()));
            }
        }
        return runs;
    }
}
