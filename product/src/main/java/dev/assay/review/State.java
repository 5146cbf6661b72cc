package dev.assay.review;

import dev.assay.review.Journal.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A review's state: the fold of its journal. It holds the latest of what may happen again (a prediction before the
 * seal, a quality report, a decision) and every slot that ended.
 */
public final class State {
    private Optional<Event.Created> created = Optional.empty();
    private Optional<Event.Predicted> predicted = Optional.empty();
    private Optional<Seal> seal = Optional.empty();
    private Optional<EvidenceRef> quality = Optional.empty();
    private Optional<Event.VerdictComputed> verdict = Optional.empty();
    private Optional<Decision> decision = Optional.empty();
    private final Map<String, Event.CalibrationSlot> calibration = new LinkedHashMap<>();
    private final Map<SlotKey, Event.SlotFinished> finished = new LinkedHashMap<>();
    private final Map<SlotKey, Event.SlotFailed> failed = new LinkedHashMap<>();
    private final Map<String, Integer> starts = new HashMap<>();
    private final List<Event.SessionStarted> sessions = new ArrayList<>();
    private final Map<String, Event.SessionWarmed> warmed = new LinkedHashMap<>();
    private final List<EvidenceRef> evidence = new ArrayList<>();
    private int recoveries;
    private String head = "";

    private State() {}

    /** The state after these entries. */
    public static State of(List<Entry> entries) {
        State state = new State();
        for (Entry entry : entries) {
            state.apply(entry.event());
            state.head = entry.hash();
        }
        return state;
    }

    private void apply(Event event) {
        switch (event) {
            case Event.Created e -> created = Optional.of(e);
            case Event.CalibrationSlot e -> {
                calibration.put(e.session() + "/" + e.point(), e);
                evidence.addAll(e.evidence());
            }
            case Event.Predicted e -> predicted = Optional.of(e);
            case Event.Sealed e -> seal = Optional.of(e.seal());
            case Event.SessionStarted e -> {
                sessions.add(e);
                starts.merge(e.block() + "/" + e.session(), 1, Integer::sum);
            }
            case Event.SessionWarmed e -> warmed.put(e.block() + "/" + e.session(), e);
            case Event.SlotStarted _ -> {
            }
            case Event.SlotFinished e -> {
                finished.put(e.slot(), e);
                failed.remove(e.slot());
                evidence.addAll(e.evidence());
            }
            case Event.SlotFailed e -> {
                failed.put(e.slot(), e);
                evidence.addAll(e.evidence());
            }
            case Event.EvidenceAttached e -> {
                evidence.add(e.evidence());
                if (e.evidence().kind().equals(Evidence.QUALITY)) {
                    quality = Optional.of(e.evidence());
                }
            }
            case Event.VerdictComputed e -> verdict = Optional.of(e);
            case Event.Decided e -> decision = Optional.of(e.decision());
            case Event.Recovered _ -> recoveries++;
        }
    }

    /** How the review was begun. */
    public Optional<Event.Created> created() {
        return created;
    }

    /** The baseline's operating curve, in the order of measuring. */
    public List<Event.CalibrationSlot> calibration() {
        return List.copyOf(calibration.values());
    }

    /** The latest prediction's digests. */
    public Optional<Event.Predicted> predicted() {
        return predicted;
    }

    /** The seal. */
    public Optional<Seal> seal() {
        return seal;
    }

    /** Slots that gave a run. */
    public Map<SlotKey, Event.SlotFinished> finished() {
        return Map.copyOf(finished);
    }

    /** Slots that gave none, and did not later. */
    public List<Event.SlotFailed> failed() {
        return List.copyOf(failed.values());
    }

    /** The slots that gave a run, in the order in which they ended. */
    public List<SlotResult> results() {
        return finished.values().stream()
                .map(e -> new SlotResult(e.slot(), e.offeredRps(), e.summary(), e.telemetry(), e.evidence()))
                .toList();
    }

    /** Server starts, in order. */
    public List<Event.SessionStarted> sessions() {
        return List.copyOf(sessions);
    }

    /** Sessions that were measured although their server had not settled. */
    public List<Event.SessionWarmed> unsettled() {
        return warmed.values().stream().filter(e -> !e.warmUp().warm()).toList();
    }

    /** Sessions whose server had to be started more than once, because a process died in between. */
    public long resumedSessions() {
        return starts.values().stream().filter(n -> n > 1).count();
    }

    /** The latest quality report. */
    public Optional<EvidenceRef> quality() {
        return quality;
    }

    /** The latest verdict. */
    public Optional<Event.VerdictComputed> verdict() {
        return verdict;
    }

    /** The latest decision. */
    public Optional<Decision> decision() {
        return decision;
    }

    /** Every piece of evidence that the journal names. */
    public List<EvidenceRef> evidence() {
        return List.copyOf(evidence);
    }

    /** Torn lines that were cut off. */
    public int recoveries() {
        return recoveries;
    }

    /** The hash of the last entry, empty for an empty journal. */
    public String head() {
        return head;
    }
}
