package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.Probe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Runs the slots of a sealed review in the plan's order and leaves off where it stopped: a slot that neither finished nor
 * failed is run again, what finished stays.
 */
public final class Measuring {
    private static final int WARMUP_BLOCK = 3_000_000;
    private static final int STARTS_BEFORE_GIVING_UP = 2;
    private static final double MILLION = 1e6;

    private final ReviewFiles files;
    private final Proposal proposal;
    private final Journal journal;
    private final Progress progress;
    private final InstantSource clock;
    private final SlotRunner runner;
    private final List<SlotKey> open;
    private final long started;
    private final double secondsPerSlot;
    private int ended;
    private int failedStarts;

    private Measuring(ReviewFiles files, Proposal proposal, Prediction prediction, Journal journal,
            Progress progress,
            InstantSource clock) {
        this.files = files;
        this.proposal = proposal;
        this.journal = journal;
        this.progress = progress;
        this.clock = clock;
        this.runner = new SlotRunner(proposal, files.evidence(), prediction.promptSizing());
        State state = State.of(journal.entries());
        this.open = plan(proposal).slots(proposal.arms().resident()).stream()
                .filter(s -> !state.finished().containsKey(s))
                .toList();
        this.started = clock.millis();
        this.secondsPerSlot = Predicting.sessionSeconds(proposal) / proposal.loadPoints().size();
    }

    /** Seconds that the slots still open take, roughly; what is said before they start. */
    public static double estimateSeconds(ReviewFiles files) {
        Proposal proposal = files.proposal();
        State state = State.of(Journal.read(files.directory()));
        long left = plan(proposal).slots(proposal.arms().resident()).stream()
                .filter(s -> !state.finished().containsKey(s)).count();
        return left * Predicting.sessionSeconds(proposal) / proposal.loadPoints().size();
    }

    private static Plan plan(Proposal proposal) {
        return Plan.draw(proposal.measure().blocks(), proposal.loadPoints().size(),
                proposal.measure().seed());
    }

    /** Opens and closes the journal, which mends a line that a crash cut in half. */
    public static void recover(ReviewFiles files, InstantSource clock) {
        Journal.open(files.directory(), clock).close();
    }

    /** Measures what is open; refused without a seal that still fits. */
    public static void measure(ReviewFiles files, InstantSource clock, Progress progress) {
        Proposal proposal = files.proposal();
        try (Journal journal = Journal.open(files.directory(), clock)) {
            Prediction prediction = Sealing.sealed(files, proposal, State.of(journal.entries()));
            discardLeftovers(files, journal);
            Measuring m = new Measuring(files, proposal, prediction, journal, progress, clock);
            progress.step(
                    String.format(Locale.ROOT, "measuring %d slots in %d blocks, about %s", m.open.size(),
                            proposal.measure().blocks(), minutes(m.open.size() * m.secondsPerSlot)));
            if (proposal.arms().resident()) {
                m.resident();
            } else {
                m.sessions();
            }
        } finally {
            progress.end();
        }
    }

    private static String minutes(double seconds) {
        return seconds < 90
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : String.format(Locale.ROOT, "%.0f min", seconds / 60);
    }

    /** Files of the slot that was in flight when a process died: no event names them, so nothing rests on them. */
    private static void discardLeftovers(ReviewFiles files, Journal journal) {
        for (Path left : files.evidence().unreferenced(State.of(journal.entries()).evidence())) {
            try {
                Files.delete(left);
            } catch (IOException e) {
                throw AssayException.environment(left + ": cannot be removed: " + e.getMessage(), e);
            }
        }
    }

    private void resident() {
        try (ArmServer baseline = ArmServer.start(proposal.arms().baseline(),
                files.evidence().scratch("log"));
                ArmServer candidate = ArmServer.start(proposal.arms().candidate(),
                        files.evidence().scratch("log"))) {
            for (Arm arm : Arm.values()) {
                ArmServer server = arm == Arm.BASELINE ? baseline : candidate;
                begin(0, arm == Arm.BASELINE ? 0 : 1, arm, server, 0);
            }
            for (SlotKey slot : open) {
                slot(slot.arm() == Arm.BASELINE ? baseline : candidate, slot);
            }
        }
    }

    private void sessions() {
        List<SlotKey> session = new ArrayList<>();
        for (SlotKey slot : open) {
            if (!session.isEmpty() && !same(session.getLast(), slot)) {
                session(List.copyOf(session));
                session.clear();
            }
            session.add(slot);
        }
        if (!session.isEmpty()) {
            session(List.copyOf(session));
        }
    }

    private static boolean same(SlotKey a, SlotKey b) {
        return a.block() == b.block() && a.session() == b.session();
    }

    private void session(List<SlotKey> slots) {
        SlotKey first = slots.getFirst();
        Proposal.ArmSpec spec = first.arm() == Arm.BASELINE
                ? proposal.arms().baseline()
                : proposal.arms().candidate();
        Path log = files.evidence().scratch("server-log");
        long from = clock.millis();
        tell(first, "starting the " + name(first.arm()));
        try (ArmServer server = ArmServer.start(spec, log)) {
            begin(first.block(), first.session(), first.arm(), server, (clock.millis() - from) / 1000.0);
            failedStarts = 0;
            for (SlotKey slot : slots) {
                if (server.alive()) {
                    slot(server, slot);
                } else {
                    fail(slot, "the server died before the slot: " + server.lastWords(), List.of());
                }
            }
        } catch (AssayException e) {
            if (e.kind() != AssayException.Kind.ENVIRONMENT || failedStarts + 1 >= STARTS_BEFORE_GIVING_UP) {
                throw e;
            }
            failedStarts++;
            State now = State.of(journal.entries());
            slots.stream().filter(s -> !now.finished().containsKey(s))
                    .forEach(s -> fail(s, ArmServer.withoutKey(spec, String.valueOf(e.getMessage())),
                            log(spec, log)));
        } finally {
            delete(log);
        }
    }

    private static String name(Arm arm) {
        return arm.name().toLowerCase(Locale.ROOT);
    }

    /** Checks and warms a server that has come up. */
    private void begin(int block, int session, Arm arm, ArmServer server, double readyS) {
        OptionalLong roundTrip = Probe.roundTripNanos(server.base(), server.apiKey());
        journal.append(new Event.SessionStarted(block, session, arm, readyS,
                roundTrip.isPresent() ? Optional.of(roundTrip.getAsLong() / MILLION) : Optional.empty(),
                server.base().toString()));
        runner.warm(server, Plan.slotSeed(proposal.measure().seed(), WARMUP_BLOCK + block, session),
                proposal.measure().warmupS())
                .ifPresent(w -> journal.append(new Event.SessionWarmed(block, session, arm, w)));
    }

    private void slot(ArmServer server, SlotKey slot) {
        double rate = proposal.loadPoints().get(slot.point());
        tell(slot, String.format(Locale.ROOT, "%s at %.3g requests/s", name(slot.arm()), rate));
        journal.append(new Event.SlotStarted(slot));
        SlotRunner.Measured measured = runner.run(server, slot.label(), slot.arm(), rate,
                Plan.slotSeed(proposal.measure().seed(), slot.block(), slot.point()),
                p -> tell(slot,
                        String.format(Locale.ROOT, "%s at %.3g/s, %d in flight", name(slot.arm()), rate,
                                p.inFlight())));
        if (!server.alive()) {
            fail(slot, "the server died during the slot: " + server.lastWords(), measured.evidence());
        } else if (measured.summary().requests().completed() == 0) {
            fail(slot, "no request completed: " + measured.summary().requests().failed(),
                    measured.evidence());
        } else {
            journal.append(new Event.SlotFinished(slot, rate, measured.evidence(), measured.summary(),
                    measured.telemetry()));
            ended++;
        }
    }

    private void fail(SlotKey slot, String reason, List<EvidenceRef> evidence) {
        progress.step("slot " + slot.label() + ": " + reason);
        journal.append(new Event.SlotFailed(slot, reason, evidence));
        ended++;
    }

    private void tell(SlotKey slot, String what) {
        double done = (double) ended / open.size();
        double spent = (clock.millis() - started) / 1000.0;
        double left = ended < 4
                ? (open.size() - ended) * secondsPerSlot
                : spent / ended * (open.size() - ended);
        progress.at("block " + (slot.block() + 1) + "/" + proposal.measure().blocks() + "  " + what, done,
                left);
    }

    private List<EvidenceRef> log(Proposal.ArmSpec spec, Path log) {
        return Files.exists(log)
                ? List.of(files.evidence().put(Evidence.SERVER_LOG, "txt",
                        ArmServer.withoutKey(spec, tail(log)).getBytes(StandardCharsets.UTF_8)))
                : List.of();
    }

    private static String tail(Path log) {
        final int most = 20_000;
        try {
            // Not readString, which refuses what is no UTF-8: a server may write anything.
            String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
            return text.substring(Math.max(0, text.length() - most));
        } catch (IOException e) {
            return "the log cannot be read: " + e.getMessage() + "\n";
        }
    }

    private static void delete(Path log) {
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw AssayException.environment(log + ": cannot be removed: " + e.getMessage(), e);
        }
    }

    /** Computes the verdicts from all that was measured and records them. */
    public static Analysis conclude(ReviewFiles files, InstantSource clock) {
        Proposal proposal = files.proposal();
        try (Journal journal = Journal.open(files.directory(), clock)) {
            State state = State.of(journal.entries());
            Sealing.sealed(files, proposal, state);
            Analysis analysis = Views.analysis(files, proposal, state).orElseThrow(
                    () -> AssayException.evidence("nothing was measured: run 'assay measure'"));
            String digest = Json.digest(analysis);
            if (state.verdict().filter(v -> v.analysis().equals(digest)).isEmpty()) {
                journal.append(new Event.VerdictComputed(analysis.recommendation().decision(),
                        analysis.recommendation().meaning(), digest));
            }
            return analysis;
        }
    }
}
