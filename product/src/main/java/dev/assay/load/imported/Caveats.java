package dev.assay.load.imported;

import dev.assay.load.imported.Comparison.Caveat;
import dev.assay.stats.TwoSampleRatio;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Everything about two sets of runs that their files cannot tell, or that speaks against a verdict. */
final class Caveats {
    private static final double LENGTH_TOLERANCE = 0.02;
    private static final double FAILURE_SHARE = 0.05;
    private static final double FAILURE_GAP = 0.02;
    private static final double RATE_TOLERANCE = 0.05;

    private final List<ImportedRun> a;
    private final List<ImportedRun> b;
    private final Pairing pairing;
    private final CompareOptions options;
    private final List<Caveat> found = new ArrayList<>();

    private Caveats(List<ImportedRun> a, List<ImportedRun> b, Pairing pairing, CompareOptions options) {
        this.a = a;
        this.b = b;
        this.pairing = pairing;
        this.options = options;
    }

    static List<Caveat> of(List<ImportedRun> a, List<ImportedRun> b, Pairing pairing,
            CompareOptions options) {
        Caveats caveats = new Caveats(a, b, pairing, options);
        caveats.repeats();
        caveats.sameRun();
        caveats.validity();
        caveats.tools();
        caveats.facts();
        caveats.achievedRates();
        caveats.failures();
        caveats.order();
        caveats.floors();
        caveats.fromSent();
        caveats.goodput();
        caveats.unknown();
        return List.copyOf(caveats.found);
    }

    private void add(String code, boolean blocks, String format, Object... values) {
        found.add(new Caveat(code, blocks, String.format(Locale.ROOT, format, values)));
    }

    private void repeats() {
        double alpha = 1 - options.level();
        int rows = (int) Math.max(1, pairing.rows().stream().map(Measure.Key::statistic)
                .filter(s -> !Rows.belowFloor(s, a) && !Rows.belowFloor(s, b)).count());
        int one = TwoSampleRatio.fewest(alpha);
        int all = TwoSampleRatio.fewest(alpha / rows);
        if (a.size() < 2 || b.size() < 2) {
            add("no_repeats", true,
                    "No repeats (runs: A %d, B %d): a description, no verdict. Byte-identical reruns"
                            + " have differed by 30 %% (NVIDIA/aicr#1197), and the requests of one run are no repeats."
                            + " Needed: %d runs a side to judge one row, %d for the %d rows that can be.",
                    a.size(),
                    b.size(), one, all, rows);
        } else if (TwoSampleRatio.floor(a.size(), b.size()) * rows > alpha) {
            add("few_repeats", false,
                    "Few repeats (runs: A %d, B %d): over %d rows the exact test cannot go below"
                            + " p = %.3g. Needed: %d runs a side for one row (--metrics), %d for these.",
                    a.size(), b.size(), rows,
                    Math.min(1, TwoSampleRatio.floor(a.size(), b.size()) * rows), one, all);
        }
    }

    /** A run that stands in twice would pass for a repeat without spread. */
    private void sameRun() {
        List<ImportedRun> all = new ArrayList<>(a);
        all.addAll(b);
        Set<List<Measure>> seen = new LinkedHashSet<>();
        for (ImportedRun run : all) {
            if (!run.measures().isEmpty() && !seen.add(run.measures())) {
                add("same_run", true,
                        "%s holds the very numbers of another run here: one run given twice is no"
                                + " repeat.",
                        run.source());
                return;
            }
        }
    }

    private void validity() {
        for (boolean first : new boolean[]{true, false}) {
            Set<String> reasons = new LinkedHashSet<>();
            (first ? a : b).forEach(r -> reasons.addAll(r.invalid()));
            reasons.forEach(
                    reason -> add("invalid", true, "%s is invalid by its own tool: %s", first ? "A" : "B",
                            reason));
        }
    }

    private void tools() {
        Set<Tool> toolsA = tools(a);
        Set<Tool> toolsB = tools(b);
        if (!toolsA.equals(toolsB)) {
            add("tool", !options.allowed().contains("tool"),
                    "The load generators differ (%s, %s): what the client"
                            + " adds to a latency cannot be told from the server's change.",
                    names(toolsA), names(toolsB));
        }
    }

    private static Set<Tool> tools(List<ImportedRun> runs) {
        Set<Tool> tools = new TreeSet<>();
        runs.forEach(r -> tools.add(r.tool()));
        return tools;
    }

    private static String names(Set<Tool> tools) {
        return String.join(" and ", tools.stream().map(Tool::label).toList());
    }

    private void facts() {
        for (Fact fact : Fact.values()) {
            if (fact.role() == Fact.Role.NOTE || fact.role() == Fact.Role.SEED) {
                continue;
            }
            Set<String> inA = Comparer.known(a, fact);
            Set<String> inB = Comparer.known(b, fact);
            boolean blocks = fact != Fact.REQUESTS && !options.allows(fact);
            if (fact.role() != Fact.Role.LENGTH) {
                varies("A", fact, inA, blocks);
                varies("B", fact, inB, blocks);
            }
            if (!inA.isEmpty() && !inB.isEmpty() && !same(fact, inA, inB)) {
                add("differs_" + fact.id(), blocks, "%s differs: %s in A, %s in B%s", capital(fact.label()),
                        String.join(" / ", inA), String.join(" / ", inB), blocks
                                ? " (if that is the change under test: --allow " + fact.id() + ")"
                                : "");
            }
        }
        seeds("A", a);
        seeds("B", b);
    }

    private void varies(String side, Fact fact, Set<String> values, boolean blocks) {
        if (values.size() > 1) {
            add("varies_" + fact.id(), blocks, "%s is no set of repeats: %s is %s", side, fact.label(),
                    String.join(" / ", values));
        }
    }

    private static boolean same(Fact fact, Set<String> a, Set<String> b) {
        if (fact.role() != Fact.Role.LENGTH) {
            return a.equals(b);
        }
        double x = a.stream().mapToDouble(Double::parseDouble).average().orElseThrow();
        double y = b.stream().mapToDouble(Double::parseDouble).average().orElseThrow();
        return Math.abs(x - y) <= LENGTH_TOLERANCE * Math.max(x, y);
    }

    private void seeds(String side, List<ImportedRun> runs) {
        if (runs.size() > 1 && Comparer.known(runs, Fact.SEED).size() == 1
                && runs.stream().allMatch(r -> r.facts().containsKey(Fact.SEED))) {
            add("same_seed", false,
                    "All repeats of %s have seed %s: on a server that stayed up its prefix cache may"
                            + " serve the later ones (vllm#52884).",
                    side, Comparer.known(runs, Fact.SEED).iterator().next());
        }
    }

    private void achievedRates() {
        for (boolean first : new boolean[]{true, false}) {
            for (ImportedRun run : first ? a : b) {
                Optional<Double> asked = Optional.ofNullable(run.facts().get(Fact.RATE))
                        .filter(r -> r.matches("\\d{1,9}(\\.\\d{1,9})?")).map(Double::parseDouble);
                OptionalLong sent = run.counts().attempted();
                if (asked.isEmpty() || asked.get() == 0 || sent.orElse(0) < 1 || run.durationS().isEmpty()) {
                    continue;
                }
                double achieved = sent.getAsLong() / run.durationS().getAsDouble();
                // Three standard deviations of a Poisson count, beside a tail that lengthens the run.
                double slack = RATE_TOLERANCE + 3 / Math.sqrt(sent.getAsLong());
                if (Math.abs(achieved / asked.get() - 1) > slack) {
                    add("achieved_rate", true, "%s (%s): %.3g requests/s were sent of %.3g asked.",
                            first ? "A" : "B", run.source(), achieved, asked.get());
                }
            }
        }
    }

    private void failures() {
        double shareA = failure("A", a);
        double shareB = failure("B", b);
        if (Math.abs(shareA - shareB) > FAILURE_GAP || Math.max(shareA, shareB) > FAILURE_SHARE) {
            add("failure_share", true,
                    "%.1f %% of A's requests failed, %.1f %% of B's: latencies are of those that"
                            + " completed, so they are of different requests.",
                    100 * shareA, 100 * shareB);
        }
    }

    private double failure(String side, List<ImportedRun> runs) {
        long failed = 0;
        long total = 0;
        for (ImportedRun run : runs) {
            OptionalLong bad = run.counts().failed();
            OptionalLong good = run.counts().completed();
            if (bad.isEmpty() || good.isEmpty()) {
                add("failures_unknown", false, "%s: how many requests failed is not in the file.", side);
                return 0;
            }
            failed += bad.getAsLong();
            total += bad.getAsLong() + good.getAsLong();
        }
        return total == 0 ? 0 : (double) failed / total;
    }

    private void order() {
        List<LocalDateTime> timesA = times(a);
        List<LocalDateTime> timesB = times(b);
        if (a.size() < 2 || b.size() < 2) {
            return;
        }
        if (timesA.size() < a.size() || timesB.size() < b.size()) {
            add("order_unknown", false,
                    "When the runs were made is not in all files: whether A and B alternated is"
                            + " not known, so a drift of the machine can look like the change.");
        } else if (timesA.getLast().isBefore(timesB.getFirst())
                || timesB.getLast().isBefore(timesA.getFirst())) {
            boolean aFirst = timesA.getLast().isBefore(timesB.getFirst());
            add("order", !options.allowed().contains("order"),
                    "All runs of %s were made before those of %s: a drift"
                            + " of the machine cannot be told from the change. Alternate them (ABBA), or say that it does"
                            + " not matter: --allow order.",
                    aFirst ? "A" : "B", aFirst ? "B" : "A");
        }
    }

    private static List<LocalDateTime> times(List<ImportedRun> runs) {
        return runs.stream().map(ImportedRun::when).flatMap(Optional::stream).sorted().toList();
    }

    private void floors() {
        Set<Statistic> short_ = new TreeSet<>();
        pairing.rows().stream().map(Measure.Key::statistic)
                .filter(s -> Rows.belowFloor(s, a) || Rows.belowFloor(s, b)).forEach(short_::add);
        if (short_.isEmpty()) {
            return;
        }
        OptionalLong fewest = OptionalLong.empty();
        for (ImportedRun run : java.util.stream.Stream.concat(a.stream(), b.stream()).toList()) {
            fewest = Rows.least(fewest, run.counts().completed());
        }
        add("percentile_floor", false,
                "* %d requests a run are too few for %s (MLPerf's early-stopping floors): no"
                        + " verdict on these rows.",
                fewest.orElse(0),
                String.join(", ",
                        short_.stream().map(s -> s.label() + ", which needs " + Rows.floor(s)).toList()));
    }

    private void fromSent() {
        Set<String> names = new LinkedHashSet<>();
        pairing.rows().stream().map(Measure.Key::formula).filter(Formula::fromSent)
                .forEach(f -> names.add(f.family().label()));
        if (!names.isEmpty()) {
            add("from_sent", false,
                    "%s count%s from sending, not from the planned time: a backlog in the client is"
                            + " hidden (coordinated omission).",
                    String.join(" and ", names), names.size() == 1 ? "s" : "");
        }
    }

    private void goodput() {
        boolean inA = has(a);
        boolean inB = has(b);
        if (inA && inB && unknown(Fact.SLO)) {
            add("slo_not_stated", false,
                    "The SLO behind the goodput is not in both files: it compares only if it was"
                            + " the same.");
        }
        if (!inA || !inB) {
            add("no_goodput", false,
                    "No goodput in %s: how many users were served within their SLO is not known.",
                    inA ? "B" : inB ? "A" : "either");
        }
    }

    private static boolean has(List<ImportedRun> runs) {
        return runs.stream().allMatch(r -> r.measures().stream().map(m -> m.key().formula().family())
                .anyMatch(f -> f == Family.GOODPUT || f == Family.GOOD_SHARE));
    }

    private void unknown() {
        List<Fact> telling = List.of(Fact.MODEL, Fact.DATASET, Fact.MEAN_INPUT_TOKENS,
                Fact.MEAN_OUTPUT_TOKENS,
                Fact.SEED);
        List<String> missing = new ArrayList<>(telling.stream()
                .filter(f -> Comparer.known(a, f).isEmpty() || Comparer.known(b, f).isEmpty())
                .map(Fact::label)
                .toList());
        if (unknown(Fact.RATE) && unknown(Fact.CONCURRENCY)) {
            missing.addFirst("load");
        }
        if (!missing.isEmpty()) {
            add("not_stated", false,
                    "Not in both files, so not compared: %s; nor the server's version, flags, starts,"
                            + " cache state and hardware.",
                    String.join(", ", missing.stream().filter(Objects::nonNull).toList()));
        }
    }

    private boolean unknown(Fact fact) {
        return Comparer.known(a, fact).isEmpty() || Comparer.known(b, fact).isEmpty();
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
