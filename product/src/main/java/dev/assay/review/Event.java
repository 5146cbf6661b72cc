package dev.assay.review;

import dev.assay.load.ServerWarmup;
import dev.assay.workload.RunSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can happen to a review; one line of {@code journal.jsonl} holds one of these. */
public sealed interface Event {

    /** The review was begun. {@code id} is drawn once; {@code machine} is what it was created on. */
    record Created(String id, String title, Map<String, String> machine) implements Event {}

    /** One slot of the baseline's operating curve, measured before the seal to calibrate the forecast. */
    record CalibrationSlot(int session, int point, double offeredRps, List<EvidenceRef> evidence,
            RunSummary summary,
            Map<String, Double> telemetry) implements Event {}

    /** {@code prediction.json} was written; its digest is over its canonical form. */
    record Predicted(String proposal, String prediction) implements Event {}

    /** The prediction was frozen. */
    record Sealed(Seal seal) implements Event {}

    /** An arm's server is up. {@code roundTripMs} is the median of a request that makes no token. */
    record SessionStarted(int block, int session, Arm arm, double readyS, Optional<Double> roundTripMs,
            String served) implements Event {}

    /** A session's server was warmed, until its requests settled or a limit was hit. */
    record SessionWarmed(int block, int session, Arm arm, ServerWarmup warmUp) implements Event {}

    /** A slot began. One that neither finished nor failed was in flight when the process died. */
    record SlotStarted(SlotKey slot) implements Event {}

    /** A slot ended with a run, admissible or not. */
    record SlotFinished(SlotKey slot, double offeredRps, List<EvidenceRef> evidence, RunSummary summary,
            Map<String, Double> telemetry) implements Event {}

    /** A slot gave no run at all; the reason is one line. */
    record SlotFailed(SlotKey slot, String reason, List<EvidenceRef> evidence) implements Event {}

    /** A file of evidence was attached. */
    record EvidenceAttached(EvidenceRef evidence, String note) implements Event {}

    /** Verdicts were computed from the evidence; the digest is over the canonical form of the analysis. */
    record VerdictComputed(Decision.Choice recommendation, String meaning,
            String analysis) implements Event {}

    /** An owner decided. */
    record Decided(Decision decision) implements Event {}

    /** A line that a crash had cut in half was removed; {@code bytes} of it were lost. */
    record Recovered(int bytes) implements Event {}
}
