package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.RequestLog;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Recomputes a review: the journal's chain, every evidence file's hash, the seal, each slot's numbers from its raw
 * records, the quality report from its raw outputs, and the verdicts. The record itself is held against the view by the
 * command, as rendering lies above this package.
 */
public final class Verification {

    /** One thing that was recomputed. */
    public record Check(String name, boolean passed, String detail) {}

    private final ReviewFiles files;
    private final List<Check> checks = new ArrayList<>();

    private Verification(ReviewFiles files) {
        this.files = files;
    }

    /** Every check, in causal order; later ones are left out where an earlier one makes them meaningless. */
    public static List<Check> verify(ReviewFiles files) {
        Verification v = new Verification(files);
        v.run();
        return List.copyOf(v.checks);
    }

    private void run() {
        Optional<State> state = check("journal", () -> {
            List<Journal.Entry> entries = Journal.read(files.directory());
            State folded = State.of(entries);
            if (folded.created().isEmpty()) {
                throw AssayException.evidence(Journal.FILE + " does not begin with the review's creation");
            }
            return new Found<>(folded, entries.size() + " events, chain intact, head " + folded.head());
        });
        Optional<Proposal> proposal = check("proposal",
                () -> new Found<>(files.proposal(), ReviewFiles.PROPOSAL + " reads"));
        if (state.isEmpty() || proposal.isEmpty()) {
            return;
        }
        evidence(state.get());
        if (state.get().seal().isPresent()) {
            check("seal", () -> new Found<>(Sealing.sealed(files, proposal.get(), state.get()),
                    "proposal, prediction, configurations and workload give "
                            + state.get().seal().get().sha256()));
        } else if (state.get().predicted().isPresent()) {
            check("prediction", () -> new Found<>(files.prediction(), "not sealed yet"));
        }
        if (checks.stream().allMatch(Check::passed)) {
            calibration(state.get(), proposal.get());
            slots(state.get(), proposal.get());
            quality(state.get());
            verdict(state.get(), proposal.get());
        }
    }

    private void evidence(State state) {
        check("evidence", () -> {
            EvidenceStore store = files.evidence();
            state.evidence().forEach(store::read);
            int extra = store.unreferenced(state.evidence()).size();
            return new Found<>(true, state.evidence().size() + " files have the hashes of the journal"
                    + (extra > 0
                            ? "; " + extra + " more are in the directory that the journal does not name"
                            : ""));
        });
    }

    private void calibration(State state, Proposal proposal) {
        if (!state.calibration().isEmpty()) {
            check("calibration", () -> {
                for (Event.CalibrationSlot e : state.calibration()) {
                    same("calibration slot " + e.session() + "/" + e.point(), e.evidence(), e.summary(),
                            e.telemetry(),
                            proposal);
                }
                return new Found<>(true,
                        state.calibration().size() + " slots recomputed from their raw records");
            });
        }
    }

    private void slots(State state, Proposal proposal) {
        if (!state.finished().isEmpty()) {
            check("slots", () -> {
                for (Event.SlotFinished e : state.finished().values()) {
                    same("slot " + e.slot().label(), e.evidence(), e.summary(), e.telemetry(), proposal);
                }
                return new Found<>(true,
                        state.finished().size() + " slots recomputed from their raw records");
            });
        }
    }

    private void same(String name, List<EvidenceRef> evidence, RunSummary summary,
            Map<String, Double> telemetry,
            Proposal proposal) {
        SlotReading reading = read(files.evidence(), evidence, proposal, name);
        if (!Json.canonical(reading.summary()).equals(Json.canonical(summary))) {
            throw AssayException.evidence(name + ": its raw records give another summary than the journal");
        }
        if (!Json.canonical(reading.telemetry()).equals(Json.canonical(telemetry))) {
            throw AssayException.evidence(name + ": its raw records give another telemetry than the journal");
        }
    }

    private static SlotReading read(EvidenceStore store, List<EvidenceRef> evidence, Proposal proposal,
            String name) {
        EvidenceRef requests = find(evidence, Evidence.REQUESTS, name);
        EvidenceRef slot = find(evidence, Evidence.SLOT, name);
        List<RequestOutcome> outcomes = RequestLog.read(store.path(requests));
        SlotRecord record = Json.read(new String(store.read(slot), StandardCharsets.UTF_8), SlotRecord.class,
                slot.file());
        return SlotReading.of(proposal, outcomes, record);
    }

    private static EvidenceRef find(List<EvidenceRef> evidence, String kind, String name) {
        return evidence.stream().filter(r -> r.kind().equals(kind)).findFirst()
                .orElseThrow(() -> AssayException.evidence(name + ": has no evidence of kind " + kind));
    }

    private void quality(State state) {
        state.quality().ifPresent(ref -> check("outputs", () -> {
            Outputs.recomputed(files.evidence(), ref);
            return new Found<>(true, "the comparison follows from the raw outputs");
        }));
    }

    private void verdict(State state, Proposal proposal) {
        state.verdict().ifPresent(event -> check("verdicts", () -> {
            Analysis analysis = Views.analysis(files, proposal, state).orElseThrow();
            if (!Json.digest(analysis).equals(event.analysis())) {
                throw AssayException.evidence("the evidence gives other verdicts than the journal");
            }
            return new Found<>(true, analysis.claims().size() + " claims recomputed: "
                    + analysis.recommendation().decision().name().toLowerCase(java.util.Locale.ROOT) + ", "
                    + analysis.recommendation().meaning());
        }));
    }

    private record Found<T>(T value, String detail) {}

    private <T> Optional<T> check(String name, Supplier<Found<T>> body) {
        try {
            Found<T> found = body.get();
            checks.add(new Check(name, true, found.detail()));
            return Optional.of(found.value());
        } catch (AssayException e) {
            checks.add(new Check(name, false, String.valueOf(e.getMessage())));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            checks.add(new Check(name, false, "cannot be recomputed: " + e.getMessage()));
            return Optional.empty();
        }
    }
}
