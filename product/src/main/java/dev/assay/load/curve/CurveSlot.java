package dev.assay.load.curve;

import dev.assay.stats.ShareEstimate;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.ValidityCheck;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One slot of a curve: what was asked, what came back, and whether it supports a conclusion.
 *
 * @param number from 1, in the order of measuring
 * @param purpose bracket, confirm, repeat, spread or given
 * @param leadInRequests sent before those that count, to fill the server
 * @param seconds that it took, lead-in and draining included
 * @param attainment share of requests that completed and met the SLO, in the order of arrival
 * @param inFlight requests in the server in the mean
 * @param saturated whether the backlog grew through the slot
 * @param voidBy the checks that void it; a share of errors does not, as failed requests miss the SLO
 * @param telemetry the server's own account
 * @param tokens mean lengths of the requests that completed; files of earlier versions lack them
 */
public record CurveSlot(int number, String purpose, double offeredRps, int leadInRequests, double seconds,
        ShareEstimate attainment, double inFlight, boolean saturated, List<String> voidBy, RunSummary summary,
        Optional<Double> rttMs, Optional<PercentileRule> percentileRule, Map<String, Double> telemetry,
        Optional<MeanTokens> tokens) {
    public CurveSlot {
        voidBy = List.copyOf(voidBy);
        telemetry = Map.copyOf(telemetry);
    }

    /** Tokens of a prompt, by the server where it tells, and of an answer. */
    public record MeanTokens(double input, double output) {
        /** The means over completed requests; absent where none completed. */
        static Optional<MeanTokens> of(List<RequestOutcome> outcomes) {
            double input = 0;
            double output = 0;
            int completed = 0;
            for (RequestOutcome o : outcomes) {
                if (o.completed()) {
                    input += o.promptTokens().orElse(o.request().promptTokens());
                    output += o.outputTokens();
                    completed++;
                }
            }
            return completed == 0
                    ? Optional.empty()
                    : Optional.of(new MeanTokens(input / completed, output / completed));
        }
    }

    /** Whether it supports a conclusion. */
    public boolean valid() {
        return voidBy.isEmpty();
    }

    /** What the search learns from it. */
    public Observation observation() {
        return new Observation(offeredRps, attainment.hits(), attainment.trials(),
                attainment.correlationTime(), inFlight, saturated, valid());
    }

    /** The checks that make a slot useless for a curve: all that failed, but those that failing requests fail. */
    static List<String> voiding(List<ValidityCheck> checks, boolean anyCompleted) {
        return checks.stream().filter(c -> c.status() == ValidityCheck.Status.FAIL)
                .filter(c -> !c.check().equals("error-share"))
                .filter(c -> anyCompleted || !c.check().equals("sample-count"))
                .map(c -> c.check() + ": " + c.detail()).toList();
    }

    static String word(Step.Purpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT);
    }
}
