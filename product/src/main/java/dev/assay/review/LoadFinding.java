package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.Ceiling;
import dev.assay.load.Probe;
import dev.assay.load.ServerWarmup;
import dev.assay.load.Target;
import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurveRunner;
import dev.assay.load.curve.CurveSlot;
import dev.assay.load.curve.Found;
import dev.assay.load.curve.LoadSearch;
import dev.assay.load.curve.SearchSettings;
import dev.assay.load.curve.ServerSlots;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Calibration;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Finds the load points of a review that asks for them: searches the highest load at which the baseline meets the SLO,
 * keeps the curve as evidence, and writes four load points around it into the proposal.
 */
final class LoadFinding {
    /** Share of requests that must be good. */
    private static final double TARGET = 0.95;
    /** Most slots of the search. */
    private static final int SLOTS = 15;
    /** Ends of the bracket before they are confirmed; the four load points need it no nearer. */
    private static final double RESOLUTION = 1.3;
    /**
     * With which probability the bracket may miss the limit. Load points that lie somewhat off cost some power, no verdict
     * rests on them: so it is looser than {@code assay curve}, and saves slots.
     */
    private static final double ERROR = 0.2;
    /** Draining included: this many times what the requests of all slots take to arrive. */
    private static final double BUDGET = 1.5;
    /** The fewest requests of a slot; a load so low that they take longer than a slot may is not tried. */
    private static final int FEWEST = 8;
    private static final double SHORTEST_S = 2;
    private static final double LONGEST_S = 6;
    private static final double SLOTS_OF_THE_REVIEW = 3;
    private static final double WARMUP_S = 3;
    private static final int SEARCH_BLOCK = 4_000_000;

    private final ReviewFiles files;
    private final Proposal draft;
    private final InstantSource clock;
    private final Progress progress;

    private LoadFinding(ReviewFiles files, InstantSource clock, Progress progress) {
        this.files = files;
        this.clock = clock;
        this.draft = files.draft();
        this.progress = progress;
    }

    /** The evidence that a search leaves behind. */
    record Searched(String server, Slo slo, ArrivalLaw arrivals, double startRps, Curve curve) {}

    /** Searches, and rewrites {@code review.yaml}; an evidence fault where the limit was not bracketed. */
    static void find(ReviewFiles files, Journal journal, InstantSource clock, Progress progress) {
        LoadFinding finding = new LoadFinding(files, clock, progress);
        double longest = finding.longestSeconds();
        progress.step(String.format(Locale.ROOT,
                "load_points: find: searching the baseline's highest load that meets the SLO, at most %d slots of"
                        + " up to %.0f s, up to %.0f min",
                SLOTS, longest, Math.ceil(SLOTS * longest * BUDGET / 60)));
        take(files, journal, finding.search(), progress);
    }

    /** Keeps what was found and writes the load points into the proposal. */
    static void take(ReviewFiles files, Journal journal, Searched searched, Progress progress) {
        EvidenceRef ref = files.evidence().put(Evidence.CURVE, "json",
                Json.pretty(searched).getBytes(StandardCharsets.UTF_8));
        Found found = searched.curve().found();
        if (!found.bracketed()) {
            String shown = shown(found);
            journal.append(new Event.EvidenceAttached(ref,
                    "operating curve of the baseline, not bracketed: " + shown));
            throw AssayException
                    .evidence("load_points: find: the highest load that meets the SLO was not bracketed: "
                            + shown + " (" + found.reason()
                            + "); change the slo, lengthen measure.slot_s, or write four load points");
        }
        double crossing = crossing(found);
        String points = LoadWords.around(crossing).stream().map(String::valueOf)
                .collect(Collectors.joining(", "));
        String note = String.format(Locale.ROOT,
                "operating curve of the baseline: the SLO is met up to %.3g/s (%s); load points %s", crossing,
                shown(found), points);
        String text = files.read(ReviewFiles.PROPOSAL);
        String written = LoadWords.written(text, Json.parseYaml(text, ReviewFiles.PROPOSAL), crossing,
                String.format(Locale.ROOT, "found: %s times %.3g/s, the highest load that meets the SLO",
                        LoadWords.FACTORS.values().stream().map(String::valueOf)
                                .collect(Collectors.joining(", ")),
                        crossing));
        journal.append(new Event.EvidenceAttached(ref, note));
        files.write(ReviewFiles.PROPOSAL, written);
        progress.step(note);
    }

    /** Where the fitted curve crosses the target, held within the bracket; its middle where no curve could be fitted. */
    private static double crossing(Found found) {
        double meets = found.meets().orElseThrow();
        double misses = found.misses().orElseThrow();
        return Math.clamp(found.estimate().orElse(Math.sqrt(meets * misses)), meets, misses);
    }

    private static String shown(Found found) {
        return load(found.meets()) + " was shown to meet it, " + load(found.misses()) + " to miss it";
    }

    private static String load(OptionalDouble load) {
        return load.isPresent() ? String.format(Locale.ROOT, "%.3g/s", load.getAsDouble()) : "no load";
    }

    private double longestSeconds() {
        return Math.max(LONGEST_S, SLOTS_OF_THE_REVIEW * draft.measure().slotS());
    }

    private Searched search() {
        try (ArmServer server = ArmServer.start(draft.arms().baseline(),
                files.evidence().scratch("search-log"))) {
            Target target = SlotRunner.target(draft, server);
            Calibration sizing = Probe.calibrate(target).orElse(Calibration.ASSUMED);
            WorkloadSpec workload = Schedules.spec(draft.workload());
            Map<String, Slo> slos = workload.slos(draft.slo()).keySet().stream()
                    .collect(Collectors.toMap(name -> name, _ -> draft.slo()));
            double longest = longestSeconds();
            ServerSlots slots = new ServerSlots(target, workload, sizing, slos, draft.slo(),
                    Plan.slotSeed(draft.measure().seed(), SEARCH_BLOCK, 0),
                    Math.min(SHORTEST_S, draft.measure().slotS()), longest, Schedules.nanos(longest),
                    Optional.empty(), Ceiling.ofThisUser(), Schedules.law(draft));
            double start = start(slots);
            long end = clock.millis() + Math.round(SLOTS * longest * BUDGET * 1000);
            CurveRunner runner = new CurveRunner(new LoadSearch(settings(start, longest)), slots, this::tell,
                    () -> clock.millis() > end);
            Curve curve = runner.find(List.of(), 1);
            if (!server.alive()) {
                throw AssayException.environment("the baseline's server died during the search: "
                        + server.lastWords());
            }
            return new Searched(server.base().toString(), draft.slo(), Schedules.law(draft), start, curve);
        }
    }

    /** Half of what a closed loop of a few streams is served: near enough to spare most of the doubling. */
    private double start(ServerSlots slots) {
        int streams = SlotRunner.warmupStreams(draft);
        ServerWarmup warm = slots.warm(streams, 0,
                Schedules.nanos(Math.max(WARMUP_S, SlotRunner.WARMUP_FACTOR * draft.measure().warmupS())));
        progress.step("search: " + warm.detail());
        return Math.max(0.01, warm.requests() / warm.seconds() / 2);
    }

    private static SearchSettings settings(double start, double longest) {
        double least = FEWEST / longest;
        double from = Math.max(start, least);
        SearchSettings usual = SearchSettings.of(from, TARGET);
        return new SearchSettings(from, Math.max(least, usual.least()), usual.most(), TARGET, ERROR,
                RESOLUTION,
                usual.coarse(), usual.full(), usual.looks(), SLOTS, longest / (1 + ServerSlots.LEAD_IN));
    }

    private void tell(CurveSlot slot) {
        progress.at(String.format(Locale.ROOT, "search: slot %d, %.3g/s: %d of %d good%s", slot.number(),
                slot.offeredRps(), slot.attainment().hits(), slot.attainment().trials(),
                slot.valid() ? "" : " (void)"), (double) slot.number() / SLOTS,
                (SLOTS - slot.number()) * slot.seconds());
    }
}
