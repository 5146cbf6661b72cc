package dev.assay.review;

import dev.assay.quality.QualityReport;
import dev.assay.review.Journal.Entry;
import dev.assay.review.ReviewView.FailedSlot;
import dev.assay.review.ReviewView.Status;
import dev.assay.review.ReviewView.TimelineEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Builds the one view of a review from its files. The same files always give the same view. */
public final class Views {
    private Views() {}

    /** The view of a review as it stands. */
    public static ReviewView of(ReviewFiles files) {
        Proposal proposal = files.proposal();
        List<Entry> entries = Journal.read(files.directory());
        State state = State.of(entries);
        Optional<Prediction> prediction = state.predicted().isPresent() && files.hasPrediction()
                ? Optional.of(files.prediction())
                : Optional.empty();
        Optional<Analysis> analysis = analysis(files, proposal, state);
        Optional<QualityReport> quality = Outputs.read(files, state);
        return new ReviewView(proposal, status(state), state.head(), state.seal().map(Seal::sha256),
                state.created().map(Event.Created::machine).orElse(Map.of()), prediction, analysis,
                state.results(),
                state.failed().stream().map(f -> new FailedSlot(f.slot(), f.reason())).toList(), quality,
                Benchmark.rows(proposal, state.results()), state.decision(), timeline(entries),
                limits(proposal, state, prediction, analysis));
    }

    /** The analysis of what was measured; empty before the first slot. */
    static Optional<Analysis> analysis(ReviewFiles files, Proposal proposal, State state) {
        if (state.seal().isEmpty() || state.finished().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Analyses.of(proposal, files.prediction(), state, Outputs.read(files, state)));
    }

    private static Status status(State state) {
        if (state.decision().isPresent()) {
            return Status.DECIDED;
        }
        if (state.verdict().isPresent()) {
            return Status.MEASURED;
        }
        if (!state.finished().isEmpty()) {
            return Status.MEASURING;
        }
        if (state.seal().isPresent()) {
            return Status.SEALED;
        }
        return state.predicted().isPresent() ? Status.PREDICTED : Status.DRAFT;
    }

    /** Single slots are left out: their number stands in one line at the first and the last of them. */
    private static List<TimelineEntry> timeline(List<Entry> entries) {
        List<TimelineEntry> timeline = new ArrayList<>();
        long slots = entries.stream().filter(e -> e.event() instanceof Event.SlotFinished).count();
        long seen = 0;
        for (Entry entry : entries) {
            if (entry.event() instanceof Event.SlotFinished) {
                seen++;
                if (seen == 1 || seen == slots) {
                    timeline.add(
                            new TimelineEntry(entry.at(), "slot " + seen + " of " + slots + " finished"));
                }
            } else {
                words(entry.event()).ifPresent(w -> timeline.add(new TimelineEntry(entry.at(), w)));
            }
        }
        return timeline;
    }

    private static Optional<String> words(Event event) {
        return switch (event) {
            case Event.Created _ -> Optional.of("created");
            case Event.CalibrationSlot e -> e.session() == 0 && e.point() == 0
                    ? Optional.of("calibration on the baseline alone began")
                    : Optional.empty();
            case Event.Predicted _ -> Optional.of("predicted");
            case Event.Sealed e -> Optional.of("sealed " + e.seal().sha256().substring(0, 12));
            case Event.EvidenceAttached e -> Optional.of("evidence: " + e.note());
            case Event.VerdictComputed e -> Optional.of("verdicts: "
                    + e.recommendation().name().toLowerCase(Locale.ROOT) + ", " + e.meaning());
            case Event.Decided e ->
                Optional.of("decided: " + e.decision().choice().name().toLowerCase(Locale.ROOT)
                        + " by " + e.decision().owner());
            case Event.Recovered _ -> Optional.of("a line cut in half by a crash was removed");
            case Event.SessionStarted _,Event.SessionWarmed _,Event.SlotStarted _,Event.SlotFinished _,Event.SlotFailed _ ->
                Optional.empty();
        };
    }

    private static List<String> limits(Proposal proposal, State state, Optional<Prediction> prediction,
            Optional<Analysis> analysis) {
        List<String> limits = new ArrayList<>(Lint.check(proposal).remarks());
        prediction.ifPresent(p -> {
            limits.addAll(p.calibration().warnings());
            limits.addAll(p.forecast().warnings());
        });
        if (analysis.isPresent()
                && analysis.get().claims().stream().noneMatch(c -> c.claim().level() == Level.MECHANISM)) {
            limits.add("the server's telemetry shows no quantity that this kind of change should move");
        }
        if (state.created().map(Event.Created::machine).map(m -> !m.getOrDefault("cores", "").isEmpty())
                .orElse(false)
                && !proposal.arms().resident()) {
            limits.add(
                    "client and server shared this machine; what the client's own work costs is in both arms");
        }
        limits.add(
                "one machine was measured: another machine of the same type is not covered by these intervals");
        return limits.stream().distinct().toList();
    }
}
