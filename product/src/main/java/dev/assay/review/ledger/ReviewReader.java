package dev.assay.review.ledger;

import dev.assay.AssayException;
import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.PointForecast;
import dev.assay.forecast.Quantity;
import dev.assay.forecast.WidthCorrection;
import dev.assay.json.Json;
import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Arm;
import dev.assay.review.Event;
import dev.assay.review.Expectation;
import dev.assay.review.Expectation.Band;
import dev.assay.review.Journal;
import dev.assay.review.Metric;
import dev.assay.review.Prediction;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewFiles;
import dev.assay.review.Seal;
import dev.assay.review.Sealing;
import dev.assay.review.State;
import dev.assay.review.Verdict;
import dev.assay.review.Views;
import dev.assay.stats.RatioForecast;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads one review for the ledger: its journal's chain and seal are checked and its verdicts computed again from the
 * journal's slots. A review with any fault is left out with the reason, for one bad review must not hide the others.
 */
final class ReviewReader {
    /** The metrics whose level in each arm is held against the forecast. */
    static final List<Metric> LEVELS = List.of(Metric.TPOT_P50_MS, Metric.TTFT_P50_MS, Metric.GOODPUT_RPS);
    private static final double SAME = 1e-9;

    private final String directory;
    private final List<Journal.Entry> entries;
    private final State state;
    private final Proposal proposal;
    private final Prediction prediction;
    private final Analysis analysis;

    private ReviewReader(String directory, List<Journal.Entry> entries, State state, Proposal proposal,
            Prediction prediction, Analysis analysis) {
        this.directory = directory;
        this.entries = entries;
        this.state = state;
        this.proposal = proposal;
        this.prediction = prediction;
        this.analysis = analysis;
    }

    /** Reads the review in a directory that holds a proposal. */
    static Reading read(Path review) {
        String name = review.toString();
        try {
            if (!Files.exists(review.resolve(Journal.FILE))) {
                return Reading.LeftOut.of(name, "not begun: it has no " + Journal.FILE);
            }
            List<Journal.Entry> entries = Journal.read(review);
            State state = State.of(entries);
            if (state.seal().isEmpty()) {
                return Reading.LeftOut.of(name, "not sealed");
            }
            if (state.verdict().isEmpty()) {
                return new Reading.LeftOut(name, state.finished().isEmpty()
                        ? "not measured"
                        : "not measured to the end: it has no verdict", true);
            }
            ReviewFiles files = ReviewFiles.of(review);
            Proposal proposal = files.proposal();
            Prediction prediction = Sealing.sealed(files, proposal, state);
            Analysis analysis = Views.of(files).analysis().orElseThrow();
            if (!Json.digest(analysis).equals(state.verdict().get().analysis())) {
                return Reading.LeftOut.of(name,
                        "its journal gives other verdicts than it states: see 'assay verify'");
            }
            return new ReviewReader(name, entries, state, proposal, prediction, analysis).reading();
        } catch (AssayException e) {
            return Reading.LeftOut.of(name, String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
    }

    private Reading reading() {
        List<ScoredForecast> forecasts = new ArrayList<>();
        Optional<String> broken = Optional.empty();
        for (ClaimResult result : analysis.claims()) {
            if (result.claim().expectation() instanceof Expectation.Within within) {
                for (Finding finding : result.findings()) {
                    if (finding.verdict() instanceof Verdict.Void v) {
                        broken = Optional.of(v.premise());
                    } else {
                        scored(result.claim().id(), within, finding).ifPresent(forecasts::add);
                    }
                }
            }
        }
        if (forecasts.isEmpty()) {
            return Reading.LeftOut.of(directory, broken.map(p -> "void: " + p)
                    .orElse("no forecast ratio was observed"));
        }
        return new Reading.Scored(directory, state.created().map(Event.Created::id).orElse(""),
                proposal.title(),
                proposal.change(),
                state.seal().map(Seal::sha256).orElseThrow(), decidedAt(), forecasts, levels(), limiters());
    }

    private Optional<String> decidedAt() {
        return entries.stream().filter(e -> e.event() instanceof Event.Decided).map(Journal.Entry::at)
                .findFirst();
    }

    private Optional<ScoredForecast> scored(String claim, Expectation.Within within, Finding finding) {
        double rate = finding.offeredRps().orElseThrow();
        Band band = within.bands().stream().filter(b -> same(b.offeredRps(), rate)).findFirst().orElseThrow();
        return point(rate).flatMap(p -> p.metric(Metric.named("metric", within.metric())))
                .flatMap(MetricResult::ratio)
                .filter(r -> r.ratio() > 0 && Double.isFinite(r.ratio()))
                .map(r -> new ScoredForecast(claim, within.metric(), rate,
                        new RatioForecast(band.estimate(), band.low(), band.high(),
                                prediction.forecast().level(),
                                r.ratio()),
                        prediction.width().map(WidthCorrection::factor).orElse(1.0),
                        finding.verdict().word()));
    }

    private List<LevelForecast> levels() {
        List<LevelForecast> levels = new ArrayList<>();
        for (PointForecast forecast : prediction.forecast().points()) {
            for (Metric metric : LEVELS) {
                for (Arm arm : Arm.values()) {
                    level(forecast, metric, arm).ifPresent(levels::add);
                }
            }
        }
        return levels;
    }

    private Optional<LevelForecast> level(PointForecast forecast, Metric metric, Arm arm) {
        Optional<Quantity> quantity = Optional.ofNullable(
                (arm == Arm.BASELINE ? forecast.baseline() : forecast.candidate()).get(metric.id()));
        Optional<ArmValue> observed = point(forecast.offeredRps()).flatMap(p -> p.metric(metric))
                .flatMap(m -> arm == Arm.BASELINE ? m.baseline() : m.candidate());
        return quantity.flatMap(q -> observed.filter(v -> v.mean() > 0)
                .map(v -> new LevelForecast(arm, metric.id(), forecast.offeredRps(), q.estimate(), q.low(),
                        q.high(),
                        v.mean())));
    }

    private List<LimiterCall> limiters() {
        List<LimiterCall> calls = new ArrayList<>();
        for (PointForecast forecast : prediction.forecast().points()) {
            point(forecast.offeredRps()).ifPresent(seen -> {
                call(Arm.BASELINE, forecast.offeredRps(), forecast.baselineLimiter(), seen.baselineLimiter())
                        .ifPresent(calls::add);
                call(Arm.CANDIDATE, forecast.offeredRps(), forecast.candidateLimiter(),
                        seen.candidateLimiter())
                        .ifPresent(calls::add);
            });
        }
        return calls;
    }

    private static Optional<LimiterCall> call(Arm arm, double rate, LimiterForecast forecast,
            Optional<LimiterForecast> seen) {
        return seen.map(s -> new LimiterCall(arm, rate, forecast.limiter(), s.limiter()));
    }

    private Optional<PointResult> point(double rate) {
        return analysis.points().stream().filter(p -> same(p.offeredRps(), rate)).findFirst();
    }

    private static boolean same(double a, double b) {
        return Math.abs(a - b) <= SAME * Math.max(a, b);
    }
}
