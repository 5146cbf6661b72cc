package dev.assay.forecast;

import java.util.List;
import java.util.Map;

/**
 * What the baseline's own slots say about its engine: the constants of the step law with their uncertainty, and how far
 * repeats of a slot differ.
 *
 * @param baseline the settings under which it was taken
 * @param constants the central fit
 * @param standardErrors of the constants, by the field names of {@link StepConstants}
 * @param covariance of the constants, in their order
 * @param draws of the constants from the uncertainty of the fit, the form of the law included
 * @param ttftOverheadNanos time of a request outside the steps, from scheduled arrival to first token
 * @param ttftOverheadSe its standard error
 * @param misfit relative error of the law over rows (standard deviation of bin medians around it)
 * @param jitter factors of single steps around the law
 * @param noise standard deviation of the logarithm of each metric between repeats of a slot
 * @param replayError root mean square log error of the twin's replay of the calibration slots, by metric
 * @param lengths how far the server's token counts differ from the requested ones
 * @param region what the slots covered
 * @param fittedSteps steps that the fit rests on
 * @param method one line on how it was made
 * @param warnings what the slots could not tell
 */
public record Calibration(EngineSettings baseline, StepConstants constants,
        Map<String, Double> standardErrors,
        List<List<Double>> covariance, List<StepConstants> draws, double ttftOverheadNanos,
        double ttftOverheadSe,
        double misfit, List<Double> jitter, Map<String, Double> noise, Map<String, Double> replayError,
        Lengths lengths, Region region, int fittedSteps, String method, List<String> warnings) {
    public Calibration {
        standardErrors = Map.copyOf(standardErrors);
        covariance = covariance.stream().map(List::copyOf).toList();
        draws = List.copyOf(draws);
        jitter = List.copyOf(jitter);
        noise = Map.copyOf(noise);
        replayError = Map.copyOf(replayError);
        warnings = List.copyOf(warnings);
    }

    /**
     * Token counts by the server against those requested.
     *
     * @param promptExtra tokens that a prompt has more (a chat template, a start token)
     * @param outputFactor mean output tokens over requested ones; below 1 where replies end by themselves
     */
    public record Lengths(double promptExtra, double outputFactor) {}

    /**
     * What the calibration slots covered; beyond it the forecast extrapolates.
     *
     * @param maxDecodeRows most decode rows seen often enough to count
     * @param minRps lowest rate
     * @param maxRps highest rate
     * @param maxPromptTokens longest prompt
     * @param maxTokens longest prompt with output
     */
    public record Region(int maxDecodeRows, double minRps, double maxRps, int maxPromptTokens,
            int maxTokens) {}

    /** The weight bandwidth that the fit implies, bytes per second; infinite where streaming shows no cost. */
    public double effectiveBandwidth(StepArithmetic arithmetic) {
        return arithmetic.weightBytes() / constants.weightNanos() * 1e9;
    }
}
