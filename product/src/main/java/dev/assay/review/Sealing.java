package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.workload.Request;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Freezes a prediction, and says whether a review still is what was sealed. */
public final class Sealing {
    private Sealing() {}

    /** Seals; refused where {@link Lint} refuses, without a prediction, or where one was sealed before. */
    public static Seal seal(ReviewFiles files, InstantSource clock) {
        Proposal proposal = files.proposal();
        Optional<Prediction> written = files.hasPrediction()
                ? Optional.of(files.prediction())
                : Optional.empty();
        List<String> refusals = Lint.check(proposal, written).refusals();
        if (!refusals.isEmpty()) {
            throw AssayException.evidence(ReviewFiles.PROPOSAL + ": " + refusals.getFirst()
                    + (refusals.size() > 1
                            ? " (and " + (refusals.size() - 1) + " more, see 'assay lint')"
                            : ""));
        }
        Prediction prediction = written.orElseThrow(() -> AssayException
                .evidence("there is no prediction to seal: run 'assay predict' first"));
        try (Journal journal = Journal.open(files.directory(), clock)) {
            State state = State.of(journal.entries());
            if (state.seal().isPresent()) {
                throw AssayException.misuse("already sealed as " + state.seal().get().sha256()
                        + "; a changed proposal needs a new review ('assay new')");
            }
            Event.Predicted predicted = state.predicted()
                    .orElseThrow(() -> AssayException
                            .evidence("the journal has no prediction: run 'assay predict'"));
            if (!predicted.proposal().equals(Json.digest(proposal))) {
                throw AssayException.evidence(ReviewFiles.PROPOSAL
                        + " was changed after the prediction: run 'assay predict' again");
            }
            if (!predicted.prediction().equals(Json.digest(prediction))) {
                throw AssayException.evidence(ReviewFiles.PREDICTION
                        + " is not the one that 'assay predict' wrote: run it again");
            }
            Seal seal = compute(proposal, prediction);
            journal.append(new Event.Sealed(seal));
            return seal;
        }
    }

    /** The seal of a proposal and its prediction as they are now. */
    static Seal compute(Proposal proposal, Prediction prediction) {
        return Seal.of(Json.digest(proposal), Json.digest(prediction), configurations(proposal),
                workload(proposal));
    }

    /** What both arms run and the order in which they are measured. */
    private static String configurations(Proposal proposal) {
        return Json.digest(Map.of("arms", proposal.arms(), "plan",
                Plan.draw(proposal.measure().blocks(), proposal.loadPoints().size(),
                        proposal.measure().seed())));
    }

    /** Every arrival and length that will be sent; the prompts' words follow from the same seeds. */
    private static String workload(Proposal proposal) {
        List<List<Long>> rows = new ArrayList<>();
        for (int block = 0; block < proposal.measure().blocks(); block++) {
            for (int point = 0; point < proposal.loadPoints().size(); point++) {
                for (Request r : Schedules.slot(proposal, dev.assay.workload.Calibration.ASSUMED, block,
                        point)) {
                    rows.add(List.of((long) block, (long) point, r.arrivalNanos(), (long) r.promptTokens(),
                            (long) r.outputTokens()));
                }
            }
        }
        return Json.digest(rows);
    }

    /** The sealed prediction of a review that may be measured; the reason where it may not. */
    public static Prediction sealed(ReviewFiles files, Proposal proposal, State state) {
        Seal seal = state.seal().orElseThrow(() -> AssayException.evidence(
                "not sealed: run 'assay seal " + files.directory()
                        + "' first; measuring needs a sealed prediction"));
        Prediction prediction = files.prediction();
        Seal now = compute(proposal, prediction);
        if (!now.equals(seal)) {
            String what = !now.proposal().equals(seal.proposal())
                    ? ReviewFiles.PROPOSAL
                    : !now.prediction().equals(seal.prediction())
                            ? ReviewFiles.PREDICTION
                            : !now.workload().equals(seal.workload()) ? "the workload" : "the configurations";
            throw AssayException
                    .evidence(what + " is not what was sealed as " + seal.sha256().substring(0, 12)
                            + "…: restore it, or begin a new review with 'assay new'");
        }
        return prediction;
    }
}
