package dev.assay.review;

import dev.assay.forecast.LimiterForecast;
import dev.assay.quality.QualityReport;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Expectation.Band;
import dev.assay.stats.BlockRatio;
import dev.assay.stats.BlocksNeeded;
import dev.assay.stats.Interval;
import dev.assay.stats.MeanEstimate;
import dev.assay.stats.NonInferiority;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Decides each claim from the evidence. A ratio claim is refuted where its interval and the observed joint interval do
 * not meet; it survives only where the observation could have refuted it. Fewer than {@link Lint#FULL_BLOCKS} blocks
 * decide no ratio, because the exact test could not reach 5 %.
 */
final class Verdicts {
    private static final double ONE_SIDED = 0.05;
    /** Ratios within this of a bound count as equal to it: what is left of rounding in exact arithmetic. */
    private static final double ROUNDING = 1e-9;

    private final Proposal proposal;
    private final Samples samples;
    private final Optional<QualityReport> quality;
    private final BiFunction<Arm, Integer, Optional<LimiterForecast>> observedLimiter;
    private final Optional<String> brokenPremise;
    private final Paths paths;
    private final Map<Metric, Comparison> comparisons = new EnumMap<>(Metric.class);

    Verdicts(Proposal proposal, Samples samples, Optional<QualityReport> quality,
            BiFunction<Arm, Integer, Optional<LimiterForecast>> observedLimiter,
            Optional<String> brokenPremise, Paths paths) {
        this.proposal = proposal;
        this.samples = samples;
        this.quality = quality;
        this.observedLimiter = observedLimiter;
        this.brokenPremise = brokenPremise;
        this.paths = paths;
    }

    /** A metric over all load points. */
    Comparison comparison(Metric metric) {
        return comparisons.computeIfAbsent(metric,
                m -> Comparison.of(m, samples, proposal.loadPoints().size()));
    }

    /** The verdict on a claim. */
    ClaimResult decide(Claim claim) {
        List<Finding> findings = switch (claim.expectation()) {
            case Expectation.Within e ->
                e.bands().stream().map(b -> within(Metric.named("metric", e.metric()), b)).toList();
            case Expectation.AtLeast e -> e.loadPoints().stream().map(p -> atLeast(e, p)).toList();
            case Expectation.NotWorse e -> e.loadPoints().stream().map(p -> notWorse(e, p)).toList();
            case Expectation.SameOutputs _ -> List.of(sameOutputs());
            case Expectation.LikelihoodWithin e -> List.of(likelihood(e));
            case Expectation.LimitedBy e -> e.points().stream().map(p -> limitedBy(e.arm(), p)).toList();
        };
        return new ClaimResult(claim, overall(findings), findings);
    }

    /** Refuted at one load point is refuted; else void, else inconclusive, wherever one of them is. */
    private static Verdict overall(List<Finding> findings) {
        for (Class<? extends Verdict> kind : List.of(Verdict.Refuted.class, Verdict.Void.class,
                Verdict.Inconclusive.class)) {
            Optional<Finding> first = findings.stream().filter(f -> kind.isInstance(f.verdict())).findFirst();
            if (first.isPresent()) {
                return at(first.get());
            }
        }
        return findings.isEmpty()
                ? new Verdict.Inconclusive("there was nothing to test")
                : new Verdict.Survived();
    }

    private static Verdict at(Finding finding) {
        String where = finding.offeredRps().map(r -> String.format(Locale.ROOT, "at %.3g/s: ", r)).orElse("");
        return switch (finding.verdict()) {
            case Verdict.Survived s -> s;
            case Verdict.Refuted r -> new Verdict.Refuted(where + r.reason());
            case Verdict.Inconclusive i -> new Verdict.Inconclusive(where + i.reason());
            case Verdict.Void v -> new Verdict.Void(v.premise());
        };
    }

    private Finding within(Metric metric, Band band) {
        Comparison comparison = comparison(metric);
        int point = index(band.offeredRps());
        Optional<Interval> joint = comparison.joint(point);
        String predicted = String.format(Locale.ROOT, "×%.3f [%.3f, %.3f]", band.estimate(), band.low(),
                band.high());
        Verdict verdict = testable(comparison, point)
                .orElseGet(() -> band(comparison.ratio(point), joint.orElseThrow(), band));
        return new Finding(Optional.of(band.offeredRps()), predicted, comparison.words(point, joint),
                verdict);
    }

    private static Verdict band(BlockRatio ratio, Interval seen, Band band) {
        if (seen.low() > band.high() * (1 + ROUNDING) || seen.high() < band.low() * (1 - ROUNDING)) {
            double at = seen.low() > band.high() ? band.high() : band.low();
            return new Verdict.Refuted(String.format(Locale.ROOT,
                    "the observed [%.3f, %.3f] does not meet the forecast [%.3f, %.3f] (bound %.3f)",
                    seen.low(),
                    seen.high(), band.low(), band.high(), at));
        }
        if (band.noChange()) {
            return seen.low() >= band.low() * (1 - ROUNDING) && seen.high() <= band.high() * (1 + ROUNDING)
                    ? new Verdict.Survived()
                    : new Verdict.Inconclusive(
                            "the observation is too wide to tell the forecast from other values"
                                    + needed(ratio, Math.log(band.high() / band.low()) / 2));
        }
        boolean up = band.low() > 1;
        return (up ? seen.low() > 1 : seen.high() < 1)
                ? new Verdict.Survived()
                : new Verdict.Inconclusive("the observation cannot be told from no change"
                        + needed(ratio, Math.abs(Math.log(up ? band.low() : band.high()))));
    }

    /** Why no ratio claim can be decided at this load point; empty where one can. */
    private Optional<Verdict> testable(Comparison comparison, int point) {
        if (brokenPremise.isPresent()) {
            return Optional.of(new Verdict.Void(brokenPremise.get()));
        }
        BlockRatio ratio = comparison.ratio(point);
        if (ratio.blocks() == 0) {
            return Optional
                    .of(new Verdict.Inconclusive("no block has an admissible " + comparison.metric().label()
                            + " in all four slots"));
        }
        if (ratio.blocks() < Lint.FULL_BLOCKS) {
            return Optional.of(new Verdict.Inconclusive(untestable(ratio.blocks())));
        }
        Optional<String> path = paths.refusal(comparison.metric(), comparison.mean(Arm.BASELINE, point),
                comparison.mean(Arm.CANDIDATE, point), proposal.slo());
        if (path.isPresent()) {
            return Optional.of(new Verdict.Inconclusive(path.get()));
        }
        return ratio.ratio().isEmpty()
                ? Optional.of(new Verdict.Inconclusive(ratio.doubts().getFirst().detail()))
                : Optional.empty();
    }

    private static String untestable(int blocks) {
        return String.format(Locale.ROOT,
                "untestable at %d block%s: the exact test cannot get below p = %.3g; %d needed",
                blocks, blocks == 1 ? "" : "s", Math.min(1, Math.pow(2, 1 - blocks)), Lint.FULL_BLOCKS);
    }

    /** How far the estimate lies from a limit, in log ratio: an interval of that half width would decide. */
    private static double distance(BlockRatio ratio, double logLimit) {
        return ratio.log().map(log -> Math.abs(log.mean() - logLimit)).orElse(0.0);
    }

    private static String needed(BlockRatio ratio, double halfWidth) {
        Optional<MeanEstimate> log = ratio.log();
        if (!(halfWidth > 0) || Double.isInfinite(halfWidth) || log.isEmpty() || log.get().sd().isEmpty()) {
            return "";
        }
        return BlocksNeeded.forHalfWidth(halfWidth, log.get().sd().getAsDouble(), Comparison.LEVEL)
                .filter(n -> n > ratio.blocks())
                .map(n -> "; about " + n + " blocks would")
                .orElse("");
    }

    private Finding atLeast(Expectation.AtLeast e, double rate) {
        Comparison comparison = comparison(Metric.named("metric", e.metric()));
        int point = index(rate);
        boolean up = e.minEffect() > 1;
        String predicted = String.format(Locale.ROOT, "%s %.3g", up ? "≥" : "≤", e.minEffect());
        Optional<Interval> joint = comparison.joint(point);
        Verdict verdict = fromZero(comparison, point, up).or(() -> testable(comparison, point))
                .orElseGet(() -> reached(comparison, point, joint.orElseThrow(), e.minEffect()));
        return new Finding(Optional.of(rate), predicted, comparison.words(point, joint), verdict);
    }

    private static Verdict reached(Comparison comparison, int point, Interval joint, double minEffect) {
        boolean up = minEffect > 1;
        double ratio = comparison.ratio(point).ratio().orElseThrow();
        if (up ? joint.high() < minEffect : joint.low() > minEffect) {
            return new Verdict.Refuted(
                    String.format(Locale.ROOT, "the ratio is ×%.3f [%.3f, %.3f]; %.3g was needed",
                            ratio, joint.low(), joint.high(), minEffect));
        }
        boolean significant = comparison.pHolm(point).orElse(0) <= 1 - Comparison.LEVEL;
        if (significant
                && (up ? ratio >= minEffect && joint.low() > 1 : ratio <= minEffect && joint.high() < 1)) {
            return new Verdict.Survived();
        }
        return new Verdict.Inconclusive(
                String.format(Locale.ROOT, "×%.3f [%.3f, %.3f] allows both sides of %.3g", ratio,
                        joint.low(), joint.high(), minEffect)
                        + needed(comparison.ratio(point),
                                distance(comparison.ratio(point), Math.log(minEffect))));
    }

    /** A baseline that fell to 0 has no ratio; the difference still decides whether the candidate gained. */
    private Optional<Verdict> fromZero(Comparison comparison, int point, boolean up) {
        BlockRatio ratio = comparison.ratio(point);
        if (!up || ratio.ratio().isPresent() || ratio.blocks() < Lint.FULL_BLOCKS
                || brokenPremise.isPresent()) {
            return Optional.empty();
        }
        return comparison.difference(point).estimate().flatMap(MeanEstimate::interval).map(i -> i.low() > 0
                ? new Verdict.Survived()
                : i.high() < 0
                        ? new Verdict.Refuted("the value fell below the baseline's, which is 0 in some slots")
                        : new Verdict.Inconclusive(
                                "both arms are at 0 in some slots and their difference is not clear"));
    }

    private Finding notWorse(Expectation.NotWorse e, double rate) {
        Metric metric = Metric.named("metric", e.metric());
        Comparison comparison = comparison(metric);
        int point = index(rate);
        BlockRatio ratio = comparison.ratio(point);
        Optional<Interval> ninety = ratio.intervalAt(1 - 2 * ONE_SIDED);
        String predicted = String.format(Locale.ROOT, "%s %.3g", metric.higherIsBetter() ? "≥" : "≤",
                metric.higherIsBetter() ? 1 - e.margin() : 1 + e.margin());
        NonInferiority.Better better = metric.higherIsBetter()
                ? NonInferiority.Better.HIGHER
                : NonInferiority.Better.LOWER;
        Verdict verdict = fromZeroNotWorse(comparison, point, metric).or(() -> testable(comparison, point))
                .orElseGet(() -> margin(NonInferiority.ofRatio(ratio, better, e.margin(), ONE_SIDED),
                        NonInferiority.ofRatio(ratio, better, e.margin(), ONE_SIDED / constrained()),
                        e.margin(), ratio));
        return new Finding(Optional.of(rate), predicted, comparison.words(point, ninety), verdict);
    }

    private Optional<Verdict> fromZeroNotWorse(Comparison comparison, int point, Metric metric) {
        return metric.higherIsBetter()
                ? fromZero(comparison, point, true).filter(v -> v instanceof Verdict.Survived)
                : Optional.empty();
    }

    /**
     * In how many places a constraint may be refuted. One of them rejects the change, so refutations share their level
     * (Bonferroni); to survive, all must hold, which needs no correction.
     */
    private int constrained() {
        return Math.max(1, proposal.constraints().stream().map(Proposal.Constraint::loadPoints)
                .mapToInt(points -> points.isEmpty() ? proposal.loadPoints().size() : points.size()).sum());
    }

    private static Verdict margin(NonInferiority test, NonInferiority joint, double margin,
            BlockRatio ratio) {
        String bound = test.bound().isPresent()
                ? String.format(Locale.ROOT, "×%.3f", Math.exp(test.bound().getAsDouble()))
                : "absent";
        NonInferiority.Outcome outcome = test.outcome() == NonInferiority.Outcome.INFERIOR
                ? joint.outcome()
                : test.outcome();
        return switch (outcome) {
            case NOT_INFERIOR -> new Verdict.Survived();
            case INFERIOR -> new Verdict.Refuted(String.format(Locale.ROOT,
                    "it got worse by more than %.3g %%, interval included", 100 * margin));
            case UNDECIDED -> new Verdict.Inconclusive(String.format(Locale.ROOT,
                    "the bound is %s; a loss beyond %.3g %% is not ruled out", bound, 100 * margin)
                    + needed(ratio, distance(ratio, test.limit())));
            case UNTESTABLE -> new Verdict.Inconclusive(untestable(ratio.blocks()));
        };
    }

    private Finding limitedBy(Arm arm, Expectation.PointLimiter expected) {
        Optional<LimiterForecast> seen = observedLimiter.apply(arm, index(expected.offeredRps()));
        String predicted = words(expected.limiter().name()) + share(expected.share());
        if (seen.isEmpty()) {
            return new Finding(Optional.of(expected.offeredRps()), predicted, "not observable",
                    new Verdict.Inconclusive("the server's telemetry does not show the limiter"));
        }
        String observed = words(seen.get().limiter().name()) + share(seen.get().share());
        Verdict verdict = seen.get().limiter() == expected.limiter()
                ? new Verdict.Survived()
                : new Verdict.Refuted("observed " + observed + ", forecast " + predicted);
        return new Finding(Optional.of(expected.offeredRps()), predicted, observed, verdict);
    }

    private static String share(double share) {
        return String.format(Locale.ROOT, " (%.0f %%)", 100 * share);
    }

    private static String words(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private Finding sameOutputs() {
        return QualityFindings.sameOutputs(quality);
    }

    private Finding likelihood(Expectation.LikelihoodWithin e) {
        return QualityFindings.likelihood(quality, e);
    }

    private int index(double rate) {
        int index = proposal.loadPoints().indexOf(rate);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "load point " + rate + " is not one of " + proposal.loadPoints());
        }
        return index;
    }

    /** The comparisons of every metric that has a complete block at some load point. */
    List<Comparison> present(List<Claim> claims) {
        List<Comparison> present = new ArrayList<>();
        Set<String> claimed = claims.stream().map(Claim::expectation)
                .filter(e -> e instanceof Expectation.Within)
                .map(e -> ((Expectation.Within) e).metric()).collect(Collectors.toSet());
        for (Metric metric : Metric.values()) {
            if (metric.derived() && !claimed.contains(metric.id())) {
                continue;
            }
            Comparison comparison = comparison(metric);
            boolean any = false;
            for (int i = 0; i < proposal.loadPoints().size(); i++) {
                any |= !comparison.blocks(i).isEmpty();
            }
            if (any) {
                present.add(comparison);
            }
        }
        return present;
    }
}
