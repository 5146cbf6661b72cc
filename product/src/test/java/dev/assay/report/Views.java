package dev.assay.report;

import dev.assay.forecast.Calibration;
import dev.assay.forecast.EngineSettings;
import dev.assay.forecast.Forecast;
import dev.assay.forecast.StepConstants;
import dev.assay.model.ModelShape;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.quality.ArmOutputs;
import dev.assay.quality.GreedyOutput;
import dev.assay.quality.QualityRaw;
import dev.assay.quality.QualityReport;
import dev.assay.quality.QualitySettings;
import dev.assay.quality.TeacherForcing;
import dev.assay.quality.TokenLogprob;
import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Arm;
import dev.assay.review.Claim;
import dev.assay.review.Decision;
import dev.assay.review.EvidenceRef;
import dev.assay.review.Expectation;
import dev.assay.review.Level;
import dev.assay.review.Metric;
import dev.assay.review.Prediction;
import dev.assay.review.Proposal;
import dev.assay.review.Recommendation;
import dev.assay.review.ReviewView;
import dev.assay.review.ReviewView.FailedSlot;
import dev.assay.review.ReviewView.Status;
import dev.assay.review.ReviewView.TimelineEntry;
import dev.assay.review.SlotKey;
import dev.assay.review.SlotResult;
import dev.assay.review.Verdict;
import dev.assay.value.ValueRow;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import dev.assay.workload.ValidityCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reviews in every state that the reports must render, made by hand around {@link Figures}. */
final class Views {
    private static final String SEAL = "5f0c6d1f5b6f4f6a8e9d2c1b0a998877665544332211ffeeddccbbaa99887766";
    private static final String HEAD = "a1b2c3d4e5f60718293a4b5c6d7e8f90112233445566778899aabbccddeeff00";

    private Views() {}

    /** Six blocks, decided: the mechanism survived, the objective did not. */
    static ReviewView full() {
        return new ReviewView(
                proposal("Raise the decode batch cap from 8 to 32", "Ship the candidate to the chat pool?"),
                Status.DECIDED, HEAD, Optional.of(SEAL),
                Map.of("cpu", "2 cores of a virtual machine", "java", "25.0.3", "os", "Linux 6.1"),
                Optional.of(prediction()), Optional.of(analysis(6)), slots(6),
                List.of(new FailedSlot(new SlotKey(4, 2, Arm.CANDIDATE, 3),
                        "the server did not answer /health within 60 s")),
                Optional.of(quality()), benchmark(),
                Optional.of(new Decision(Decision.Choice.REJECT, "ana@example.org", "2026-03-02",
                        List.of("goodput falls where the pool runs at its peak"), "2026-09-01",
                        List.of("the pool moves to hosts with more than 2 cores", "the model changes"))),
                List.of(new TimelineEntry("2026-03-01T09:00:00Z", "created"),
                        new TimelineEntry("2026-03-01T09:04:10Z", "predicted"),
                        new TimelineEntry("2026-03-01T09:05:00Z", "sealed"),
                        new TimelineEntry("2026-03-01T09:17:31Z", "measured"),
                        new TimelineEntry("2026-03-02T10:00:00Z", "decided: reject")),
                List.of("One machine: the figures hold for this host and this model only.",
                        "Prompts are random words; a prefix cache would change TTFT."));
    }

    /** Two blocks: no statistical claim can be decided. */
    static ReviewView quick() {
        ReviewView full = full();
        return new ReviewView(full.proposal(), Status.MEASURED, HEAD, full.seal(), full.machine(),
                full.prediction(),
                Optional.of(analysis(2)), slots(2), List.of(), full.quality(), benchmark(), Optional.empty(),
                full.timeline().subList(0, 4), full.limits());
    }

    /** A proposal and nothing else. */
    static ReviewView draft() {
        return new ReviewView(full().proposal(), Status.DRAFT, HEAD, Optional.empty(), Map.of(),
                Optional.empty(),
                Optional.empty(), List.of(), List.of(), Optional.empty(), List.of(), Optional.empty(),
                List.of(),
                List.of());
    }

    /** Sealed, not measured. */
    static ReviewView sealed() {
        ReviewView full = full();
        return new ReviewView(full.proposal(), Status.SEALED, HEAD, full.seal(), full.machine(),
                full.prediction(),
                Optional.empty(), List.of(), List.of(), Optional.empty(), List.of(), Optional.empty(),
                full.timeline().subList(0, 3), full.limits());
    }

    /** As the full one, with intervals as two short blocks give them: a hundred times the value and down to below 0. */
    static ReviewView wide() {
        ReviewView full = full();
        Analysis a = full.analysis().orElseThrow();
        List<PointResult> points = new ArrayList<>();
        for (PointResult p : a.points()) {
            points.add(new PointResult(p.offeredRps(), p.blocks(),
                    p.metrics().stream().map(Views::widened).toList(),
                    p.baselineLimiter(), p.candidateLimiter()));
        }
        return new ReviewView(full.proposal(), full.status(), full.head(), full.seal(), full.machine(),
                full.prediction(),
                Optional.of(new Analysis(a.blocksPlanned(), a.blocksComplete(), points, a.claims(),
                        a.recommendation(), a.warnings())),
                full.slots(), full.failedSlots(), full.quality(), full.benchmark(), full.decision(),
                full.timeline(), full.limits());
    }

    private static MetricResult widened(MetricResult m) {
        return new MetricResult(m.metric(), m.baseline().map(Views::widened),
                m.candidate().map(Views::widened),
                m.ratio().map(r -> new Analysis.RatioResult(r.ratio(), Optional.of(r.ratio() / 100),
                        Optional.of(r.ratio() * 100), r.jointLow(), r.jointHigh(), r.p(), r.pHolm(),
                        r.signFlipP(), r.signFlipFloor(), r.blocks())),
                m.doubt());
    }

    private static Analysis.ArmValue widened(Analysis.ArmValue v) {
        return new Analysis.ArmValue(v.mean(), Optional.of(-v.mean()), Optional.of(100 * v.mean()),
                v.blocks());
    }

    /** Text that tries to leave its place in every form. */
    static ReviewView hostile() {
        ReviewView full = full();
        String bad = "</script><img src=x onerror=alert(1)> | `code` *bold* [link](http://example.org)\n# head\u001b[31m\u202e";
        Analysis a = full.analysis().orElseThrow();
        Finding finding = new Finding(Optional.of(2.0), bad, bad, new Verdict.Refuted(bad));
        Claim claim = new Claim(bad, Level.END_TO_END, bad, new Expectation.AtLeast(bad, 1.05, List.of(2.0)),
                bad,
                List.of(bad), true);
        return new ReviewView(proposal(bad, bad), Status.MEASURED, HEAD, full.seal(), Map.of(bad, bad),
                full.prediction(),
                Optional.of(new Analysis(6, 6, a.points(),
                        List.of(new ClaimResult(claim, new Verdict.Refuted(bad), List.of(finding))),
                        new Recommendation(Decision.Choice.HOLD, bad, List.of(bad)), List.of(bad))),
                slots(1), List.of(new FailedSlot(new SlotKey(0, 0, Arm.BASELINE, 0), bad)), Optional.empty(),
                List.of(),
                Optional.of(new Decision(Decision.Choice.HOLD, bad, bad, List.of(bad), bad, List.of(bad))),
                List.of(new TimelineEntry(bad, bad)), List.of(bad, "日本語の説明文は幅が二倍になります。".repeat(6)));
    }

    /** Metrics that no slot gave, values without interval, one block, no cost. */
    static ReviewView missing() {
        ReviewView full = full();
        List<PointResult> points = new ArrayList<>();
        for (PointResult p : Figures.points(6)) {
            points.add(new PointResult(p.offeredRps(), 1, p.metrics().stream()
                    .filter(m -> !m.metric().equals(Metric.TPOT_P50_MS.id())).map(Views::bare).toList(),
                    Optional.empty(), p.candidateLimiter()));
        }
        Analysis a = full.analysis().orElseThrow();
        return new ReviewView(full.proposal(), Status.MEASURING, HEAD, full.seal(), full.machine(),
                Optional.empty(),
                Optional.of(new Analysis(6, 1, points, List.of(), new Recommendation(Decision.Choice.HOLD,
                        "not reviewable", List.of("5 of 6 blocks are not measured yet")), a.warnings())),
                slots(1), List.of(), Optional.empty(), List.of(), Optional.empty(), List.of(), List.of());
    }

    private static MetricResult bare(MetricResult m) {
        if (m.metric().equals(Metric.GOODPUT_RPS.id())) {
            return new MetricResult(m.metric(), m.baseline(), Optional.empty(), Optional.empty(),
                    "the candidate's slots failed the error-share check");
        }
        return new MetricResult(m.metric(),
                m.baseline().map(v -> new Analysis.ArmValue(v.mean(), Optional.empty(),
                        Optional.empty(), 1)),
                m.candidate(), m.ratio().map(r -> new Analysis.RatioResult(r.ratio(),
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.empty(),
                        Optional.empty(), 1, 1, 1)),
                "");
    }

    private static Proposal proposal(String title, String decision) {
        EngineSettings eight = new EngineSettings(8, 256, 16, Optional.empty(), QuantFormat.F32,
                QuantFormat.F32);
        EngineSettings many = new EngineSettings(32, 256, 16, Optional.empty(), QuantFormat.F32,
                QuantFormat.F32);
        return new Proposal(1, title, Proposal.ChangeKind.BATCH_CAP, decision, "ana@example.org",
                "the chat pool in one region, all traffic", List.of("scheduler"),
                Optional.of(
                        "More sequences share each read of the weights, so a step makes more tokens for little more"
                                + " time; requests wait less for a slot, and more of them meet their objective."),
                new Proposal.Objective("goodput_rps", List.of(8.0, 12.5), 1.05),
                List.of(new Proposal.Constraint("tpot_p50_ms", 0.10, List.of(2.0, 4.0))),
                new Proposal.Outputs(true, OptionalDouble.empty(), OptionalDouble.empty(), 8, 32),
                new Proposal.ModelSource("assay-18m", "model/assay-18m-bf16.gguf"),
                new Proposal.Workload(Optional.empty(), Optional.empty(),
                        Optional.of("lognormal:64,0.6,8,256"),
                        Optional.of("lognormal:40,0.5,8,128"), Optional.of("completions"), Optional.of(true),
                        Optional.empty()),
                Figures.LOADS, new Slo(OptionalDouble.of(250), OptionalDouble.of(10), OptionalDouble.empty()),
                new Proposal.Arms(arm(8, eight), arm(32, many)), new Proposal.Measure(6, 10, 5, 2, 20260301),
                Optional.of(List.of("TTFT and TPOT p95 by class", "error share")),
                Optional.of(new Proposal.Rollback(
                        "share of good requests falls 2 points below the control's for 5 minutes",
                        "restore the previous flags")),
                Optional.of(new Proposal.Cost("USD", 0.10)));
    }

    private static Proposal.ArmSpec arm(int cap, EngineSettings settings) {
        return new Proposal.ArmSpec(
                Optional.of("./assay engine --model model/assay-18m-bf16.gguf --port {port}"
                        + " --max-num-seqs " + cap),
                Optional.empty(), Optional.of(Map.of("OMP_NUM_THREADS", "1")),
                Optional.empty(), Optional.empty(), settings);
    }

    private static Prediction prediction() {
        StepConstants constants = new StepConstants(4e5, 2.6e6, 1e-3, 1e-3, 1e-4, false);
        Calibration calibration = new Calibration(full8(), constants, Map.of(), List.of(), List.of(), 1e6,
                1e5, 0.04,
                List.of(), Map.of("ttft_p50_ms", 0.03), Map.of(), new Calibration.Lengths(0, 1),
                new Calibration.Region(8, 2, 12.5, 256, 384), 4100, "step log of two baseline sessions",
                List.of("No calibration step had more than 8 decode rows; beyond that the forecast extrapolates."));
        return new Prediction(new ModelShape(6, 384, 6, 2, 64, 1024, 8192, 2048, 10000, 1e-5, true),
                new dev.assay.workload.Calibration(1.4, 0), calibration,
                new Forecast(0.9, Figures.forecast(), List.of(), List.of()), claims().stream().toList(),
                List.of(new Prediction.Premise("prefix-hits",
                        "at most this share of prompt tokens is served from a prefix cache, in either arm",
                        0.05),
                        new Prediction.Premise("kv-pool",
                                "at most this many sequences are preempted in a slot", 0)),
                Optional.empty());
    }

    private static EngineSettings full8() {
        return new EngineSettings(8, 256, 16, Optional.empty(), QuantFormat.F32, QuantFormat.F32);
    }

    private static List<Claim> claims() {
        return List.of(
                new Claim("outputs", Level.CORRECTNESS, "Both arms give the same greedy tokens on 8 prompts.",
                        new Expectation.SameOutputs(8, 32), "one token differs", List.of(), true),
                within("mechanism", Level.MECHANISM, Metric.DECODE_ROWS_PER_STEP, "outputs", true),
                within("step", Level.COMPONENT, Metric.STEP_TIME_MS, "mechanism", false),
                within("ttft_p50_ms", Level.END_TO_END, Metric.TTFT_P50_MS, "step", false),
                within("goodput_rps", Level.END_TO_END, Metric.GOODPUT_RPS, "step", false),
                new Claim("objective", Level.END_TO_END,
                        "Goodput rises to at least 1.05 times the baseline's at 8, 12.5 requests/s.",
                        new Expectation.AtLeast("goodput_rps", 1.05, List.of(8.0, 12.5)),
                        "the interval of the ratio lies below 1.05 at any of these points",
                        List.of("goodput_rps"), true),
                new Claim("keep-tpot_p50_ms", Level.END_TO_END,
                        "TPOT p50 gets no more than 10 % worse at 2, 4 requests/s.",
                        new Expectation.NotWorse("tpot_p50_ms", 0.10, List.of(2.0, 4.0)),
                        "the 90 % interval of the loss lies beyond the margin at any of these points",
                        List.of("step"), true));
    }

    private static Claim within(String id, Level level, Metric metric, String follows, boolean decisive) {
        return new Claim(id, level,
                Words.capital(metric.label()) + " changes by the forecast ratio at each load point.",
                new Expectation.Within(metric.id(), Figures.bands(metric)),
                "the interval of the observed ratio and the forecast interval do not meet at any load point",
                List.of(follows), decisive);
    }

    private static Analysis analysis(int blocks) {
        List<PointResult> points = Figures.points(blocks);
        List<ClaimResult> results = claims().stream().map(c -> result(c, points, blocks)).toList();
        Recommendation recommendation = blocks < 6
                ? new Recommendation(Decision.Choice.HOLD, "inconclusive", List.of(
                        "mechanism inconclusive: untestable at 2 blocks: the exact test cannot get below p = 0.5; 6 needed"))
                : new Recommendation(Decision.Choice.REJECT, "absorbed", List.of(
                        "objective refuted: at 12.5/s: the ratio is ×0.861 [0.831, 0.892]; 1.05 was needed",
                        "mechanism survived: the change does what it says, but not where it counts",
                        "at 12.5/s the candidate is limited by compute (74 %)"));
        return new Analysis(6, blocks == 6 ? 5 : blocks, points, results, recommendation,
                List.of("One core serves and one core sends: above 12 req/s both compete for memory bandwidth."));
    }

    private static ClaimResult result(Claim claim, List<PointResult> points, int blocks) {
        if (claim.expectation() instanceof Expectation.SameOutputs) {
            return new ClaimResult(claim, new Verdict.Survived(), List.of(new Finding(Optional.empty(),
                    "8 of 8 prompts identical", "8 of 8 prompts identical", new Verdict.Survived())));
        }
        Metric metric = switch (claim.expectation()) {
            case Expectation.Within w -> Metric.named("metric", w.metric());
            case Expectation.AtLeast a -> Metric.named("metric", a.metric());
            case Expectation.NotWorse n -> Metric.named("metric", n.metric());
            case Expectation.SameOutputs _,Expectation.LikelihoodWithin _,Expectation.LimitedBy _ ->
                throw new IllegalStateException("this review has no such claim");
        };
        List<Finding> findings = new ArrayList<>();
        for (PointResult point : points) {
            String seen = point.metric(metric).flatMap(MetricResult::ratio)
                    .map(r -> "×" + Numbers.ratio(r.ratio(), r.low(), r.high())).orElseThrow();
            predicted(claim, point.offeredRps()).ifPresent(p -> findings.add(new Finding(
                    Optional.of(point.offeredRps()), p, seen,
                    verdict(claim.id(), point.offeredRps(), blocks))));
        }
        Verdict first = findings.stream().map(Finding::verdict).filter(v -> !(v instanceof Verdict.Survived))
                .findFirst()
                .orElse(new Verdict.Survived());
        return new ClaimResult(claim, first, findings);
    }

    private static Optional<String> predicted(Claim claim, double load) {
        return switch (claim.expectation()) {
            case Expectation.Within w -> w.bands().stream().filter(b -> b.offeredRps() == load)
                    .map(b -> String.format(Locale.ROOT, "×%.3f [%.3f, %.3f]", b.estimate(), b.low(),
                            b.high()))
                    .findFirst();
            case Expectation.AtLeast a ->
                a.loadPoints().contains(load) ? Optional.of("≥ 1.05") : Optional.empty();
            case Expectation.NotWorse n ->
                n.loadPoints().contains(load) ? Optional.of("≤ 1.1") : Optional.empty();
            case Expectation.SameOutputs _,Expectation.LikelihoodWithin _,Expectation.LimitedBy _ ->
                Optional.empty();
        };
    }

    private static Verdict verdict(String claim, double load, int blocks) {
        if (blocks < 6) {
            return new Verdict.Inconclusive(
                    "untestable at 2 blocks: the exact test cannot get below p = 0.5; 6 needed");
        }
        if (claim.equals("objective")) {
            return load == 8.0
                    ? new Verdict.Inconclusive(
                            "×1.043 [1.018, 1.069] allows both sides of 1.05; about 14 blocks would")
                    : new Verdict.Refuted("the ratio is ×0.861 [0.831, 0.892]; 1.05 was needed");
        }
        return claim.equals("goodput_rps") && load == 12.5
                ? new Verdict.Refuted(
                        "the observed [0.831, 0.892] does not meet the forecast [1.112, 1.317] (bound 1.112)")
                : new Verdict.Survived();
    }

    private static List<SlotResult> slots(int blocks) {
        List<SlotResult> slots = new ArrayList<>();
        for (int b = 0; b < blocks; b++) {
            for (int s = 0; s < 4; s++) {
                boolean outer = s == 0 || s == 3;
                Arm arm = outer == (b % 2 == 0) ? Arm.BASELINE : Arm.CANDIDATE;
                for (int p = 0; p < 4; p++) {
                    slots.add(slot(new SlotKey(b, s, arm, p)));
                }
            }
        }
        slots.removeIf(s -> s.key().equals(new SlotKey(4, 2, Arm.CANDIDATE, 3)));
        return slots;
    }

    private static SlotResult slot(SlotKey key) {
        String digest = String.format(Locale.ROOT, "%064x",
                7919L * (key.block() * 16 + key.session() * 4 + key.point() + 1));
        boolean late = key.block() == 3 && key.session() == 1 && key.point() == 3;
        boolean few = key.block() == 0 && key.session() == 0 && key.point() == 0;
        RunSummary summary = new RunSummary(new RunSummary.Requests(100, 100, Map.of()), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                new RunSummary.Throughput(1, 40), OptionalDouble.empty(), OptionalDouble.empty(),
                Optional.empty(), 10,
                List.of(new ValidityCheck("achieved-rate", ValidityCheck.Status.PASS,
                        "1.00 of the requested rate"),
                        new ValidityCheck("schedule-lag",
                                late ? ValidityCheck.Status.FAIL : ValidityCheck.Status.PASS,
                                late ? "p99 41 ms, bound 10 ms" : "p99 0.4 ms, bound 10 ms"),
                        new ValidityCheck("sample-count",
                                few ? ValidityCheck.Status.WARN : ValidityCheck.Status.PASS,
                                few ? "20 requests; p95 needs 60" : "enough for p95"),
                        new ValidityCheck("prefix-hits", ValidityCheck.Status.ABSENT,
                                "the server does not report it")));
        return new SlotResult(key, Figures.LOADS.get(key.point()), summary, Map.of(),
                List.of(new EvidenceRef("requests", digest.substring(0, 16) + "-requests.parquet", digest,
                        18_400),
                        new EvidenceRef("telemetry", "t" + digest.substring(0, 15) + "-telemetry.json",
                                "1" + digest.substring(1), 1_100)));
    }

    private static List<ValueRow> benchmark() {
        List<ValueRow> rows = new ArrayList<>();
        for (PointResult point : Figures.points(6)) {
            for (Arm arm : Arm.values()) {
                double tokens = mean(point, Metric.OUTPUT_TOKENS_PER_S, arm);
                rows.add(ValueRow.of(Words.arm(arm), point.offeredRps(), tokens, 0.9 * tokens,
                        mean(point, Metric.GOODPUT_RPS, arm), OptionalDouble.of(0.10),
                        Optional.of(312_000_000L),
                        OptionalDouble.empty()));
            }
        }
        return rows;
    }

    private static double mean(PointResult point, Metric metric, Arm arm) {
        MetricResult result = point.metric(metric).orElseThrow();
        return (arm == Arm.BASELINE ? result.baseline() : result.candidate()).orElseThrow().mean();
    }

    /** Eight prompts answered alike, with likelihoods at two positions of each. */
    private static QualityReport quality() {
        List<GreedyOutput> greedy = new ArrayList<>();
        List<TeacherForcing.Position> positions = new ArrayList<>();
        List<List<TokenLogprob>> baseline = new ArrayList<>();
        List<List<TokenLogprob>> candidate = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            greedy.add(new GreedyOutput("p" + i, "prompt " + i, List.of("a", "b"),
                    Optional.of(List.of(-0.1, -0.2)), "ab"));
            for (int at = 0; at < 2; at++) {
                positions.add(new TeacherForcing.Position("p" + i, at, "prompt " + i, at == 0 ? "a" : "b"));
                baseline.add(List.of(new TokenLogprob(at == 0 ? "a" : "b", -0.1), new TokenLogprob("c", -3)));
                candidate.add(List.of(new TokenLogprob(at == 0 ? "a" : "b", -0.1 - 0.001 * i),
                        new TokenLogprob("c", -3)));
            }
        }
        return QualityReport
                .recompute(new QualityRaw(QualitySettings.DEFAULT, new TeacherForcing(positions, 0, 0, 0),
                        new ArmOutputs(greedy, baseline), new ArmOutputs(greedy, candidate)));
    }
}
