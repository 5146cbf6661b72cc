package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.EvidenceRegion;
import dev.assay.forecast.MetricNames;
import dev.assay.forecast.Quantity;
import dev.assay.forecast.TwinStudy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Holds a replay against what its calibration saw. */
final class TwinRegion {
    private TwinRegion() {}

    /**
     * The result with a warning where it lies outside.
     *
     * @throws AssayException where it lies far outside
     */
    static TwinStudy.Result checked(TwinStudy.Result result, EvidenceRegion region) {
        List<String> warnings = new ArrayList<>();
        for (TwinStudy.PointResult p : result.points()) {
            check(p, "baseline", p.baseline(), region, warnings);
            p.candidate().ifPresent(c -> check(p, "candidate", c, region, warnings));
        }
        double context = result.trace().meanInput() + result.trace().meanOutput() / 2;
        if (region.contextOutside(context) > 0) {
            warnings.add(String.format(Locale.ROOT, "the trace's requests attend %.0f tokens in the mean, the"
                    + " calibration saw %s: what KV and prompts cost is extrapolated", context,
                    region.words()));
        }
        if (warnings.isEmpty()) {
            return result;
        }
        warnings.addAll(0, result.warnings());
        return new TwinStudy.Result(result.trace(), result.level(), result.draws(),
                result.simulatedRequests(), result.points(), warnings);
    }

    private static void check(TwinStudy.PointResult p, String arm, Map<String, Quantity> values,
            EvidenceRegion region, List<String> warnings) {
        double rows = Optional.ofNullable(values.get(MetricNames.DECODE_ROWS)).map(Quantity::estimate)
                .orElse(0.0);
        if (region.far(rows)) {
            throw AssayException.evidence(String.format(Locale.ROOT, "at %.4g requests/s the %s decodes %.3g"
                    + " rows a step; expected at most %.0f times the %.3g that the calibration saw, or a"
                    + " calibration at a higher load", p.offeredRps(), arm, rows, EvidenceRegion.FAR,
                    region.maxRows()));
        }
        if (rows > 1.5 * region.maxRows()) {
            warnings.add(String.format(Locale.ROOT, "at %.4g requests/s the %s decodes %.3g rows a step, the"
                    + " calibration saw at most %.3g: extrapolated, with wider intervals", p.offeredRps(),
                    arm,
                    rows, region.maxRows()));
        }
    }
}
