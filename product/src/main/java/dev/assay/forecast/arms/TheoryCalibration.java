package dev.assay.forecast.arms;

import dev.assay.forecast.EvidenceRegion;
import dev.assay.forecast.arith.StepTheory;
import java.util.List;
import java.util.Optional;

/**
 * The constants of a forecast and how sure they are.
 *
 * @param middle the most probable
 * @param draws from what is known of them
 * @param region what was measured; absent where nothing was
 * @param method one line on what they rest on
 * @param warnings what the measurements could not tell
 */
public record TheoryCalibration(TheoryDraw middle, List<TheoryDraw> draws, Optional<EvidenceRegion> region,
        String method, List<String> warnings) {
    public TheoryCalibration {
        draws = List.copyOf(draws);
        warnings = List.copyOf(warnings);
    }

    /** The constants of other systems, wide enough for any. */
    public static TheoryCalibration uncalibrated(int draws, long seed) {
        return new TheoryCalibration(TheoryDraw.of(StepTheory.DEFAULT),
                StepTheory.uncalibrated(draws, seed).stream().map(TheoryDraw::of).toList(),
                Optional.empty(),
                "uncalibrated: constants of a fit over 1,042 rows of other systems, widened",
                List.of());
    }

    /** The same with at most so many draws. */
    public TheoryCalibration first(int count) {
        return new TheoryCalibration(middle, draws.subList(0, Math.min(count, draws.size())), region, method,
                warnings);
    }
}
