package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForecastScoreTest {
    private static RatioForecast forecast(double low, double estimate, double high, double observed) {
        return new RatioForecast(estimate, low, high, 0.9, observed);
    }

    /** The worked values of Assay's statistics reference, section 2.5, for Gneiting and Raftery's formula 43. */
    @Test
    void intervalScoreAsWorked() {
        Interval interval = new Interval(1.05, 1.20);
        assertThat(interval.score(1.02, .1)).isCloseTo(.75, within(1e-12));
        assertThat(interval.score(1.11, .1)).isCloseTo(.15, within(1e-12));
    }

    /**
     * Another route to the same number: the interval score is 2/alpha times the sum of the pinball losses of its two
     * ends as quantiles (Gneiting and Raftery 2007, section 6.2; Bracher and others 2021).
     */
    @ParameterizedTest
    @CsvSource({"0.5,1,2,4", "0.5,1,2,0.3", "0.8,0.9,1.4,1.1", "0.2,0.3,0.4,0.4"})
    void intervalScoreIsTheSumOfPinballLosses(double low, double estimate, double high, double observed) {
        double pinballs = pinball(Math.log(low), Math.log(observed), .05)
                + pinball(Math.log(high), Math.log(observed), .95);
        assertThat(forecast(low, estimate, high, observed).score()).isCloseTo(2 / .1 * pinballs,
                within(1e-9));
        double shift = Math.log(estimate);
        double moved = pinball(Math.log(low) - shift, Math.log(observed), .05)
                + pinball(Math.log(high) - shift, Math.log(observed), .95);
        assertThat(forecast(low, estimate, high, observed).noChangeScore()).isCloseTo(2 / .1 * moved,
                within(1e-9));
    }

    private static double pinball(double quantile, double x, double tau) {
        return x >= quantile ? tau * (x - quantile) : (1 - tau) * (quantile - x);
    }

    @Test
    void ratiosBeyondAHundredCountAsAHundred() {
        RatioForecast open = forecast(0, 0.4, 1.1, 1.2);
        assertThat(open.score()).isFinite()
                .isCloseTo(Math.log(110) + 20 * Math.log(1.2 / 1.1), within(1e-9));
        assertThat(open.inside()).isFalse();
        assertThat(forecast(0, 0, 0.5, 1e-9).logError()).isZero();
    }

    /** By hand: forecasts of 2 for observations of 2, 2.2 and 4, with intervals of a factor 1.25 either way. */
    @Test
    void aSetByHand() {
        List<RatioForecast> three = List.of(forecast(1.6, 2, 2.5, 2), forecast(1.6, 2, 2.5, 2.2),
                forecast(1.6, 2, 2.5, 4));
        ForecastScore score = ForecastScore.of(three);
        double width = 2 * Math.log(1.25);
        assertThat(score.forecasts()).isEqualTo(3);
        assertThat(score.inside()).isEqualTo(2);
        assertThat(score.coverage()).isCloseTo(2 / 3.0, within(1e-12));
        // Clopper and Pearson, 2 of 3: beta quantiles as SciPy gives them.
        assertThat(score.coverageInterval().low()).isCloseTo(0.0942993, within(1e-6));
        assertThat(score.coverageInterval().high()).isCloseTo(0.9915961, within(1e-6));
        // P(X <= 2) of three at 0.9 is 1 - 0.9^3.
        assertThat(score.overconfidence()).isCloseTo(0.271, within(1e-12));
        assertThat(score.bias()).isCloseTo((Math.log(1.1) + Math.log(2)) / 3, within(1e-12));
        assertThat(score.score()).isCloseTo(width + 20 * Math.log(1.6) / 3, within(1e-12));
        double reference = width + 20 * (Math.log(2 / 1.25) + Math.log(2.2 / 1.25) + Math.log(4 / 1.25)) / 3;
        assertThat(score.skill().orElseThrow()).isCloseTo(1 - score.score() / reference, within(1e-12));
        assertThat(score.pointSkill().orElseThrow())
                .isCloseTo(1 - (Math.log(1.1) + Math.log(2)) / (Math.log(2) + Math.log(2.2) + Math.log(4)),
                        within(1e-12));
        assertThat(score.medianError()).isCloseTo(1 - 2 / 2.2, within(1e-12));
    }

    @Test
    void aForecastOfNoChangeHasNoSkillAndPerfectOnesHaveAll() {
        assertThat(ForecastScore.of(List.of(forecast(.9, 1, 1.1, 1.3), forecast(.9, 1, 1.2, .8))).skill()
                .orElseThrow())
                .isZero();
        ForecastScore exact = ForecastScore.of(List.of(forecast(.5, .5, .5, .5), forecast(2, 2, 2, 2)));
        assertThat(exact.skill().orElseThrow()).isEqualTo(1);
        assertThat(exact.score()).isZero();
        assertThat(ForecastScore.of(List.of(forecast(1, 1, 1, 1))).skill()).isEmpty();
    }

    /** Three groups or more are the unit of replication of the bias; the oracle is the mean and t of their means. */
    @Test
    void groupsAreTheUnitOfTheBias() {
        List<List<RatioForecast>> groups = List.of(
                List.of(forecast(.5, 1, 2, Math.exp(.1)), forecast(.5, 1, 2, Math.exp(.3))),
                List.of(forecast(.5, 1, 2, Math.exp(.4))), List.of(forecast(.5, 1, 2, Math.exp(.6))));
        ForecastScore score = ForecastScore.ofGroups(groups);
        assertThat(score.bias()).isCloseTo(.4, within(1e-12));
        // sd of .2, .4, .6 is .2; t(0.975, 2) = 4.302653.
        assertThat(score.biasInterval().orElseThrow().halfWidth()).isCloseTo(4.302653 * .2 / Math.sqrt(3),
                within(1e-6));
        assertThat(ForecastScore.ofGroups(groups.subList(0, 2)).bias()).isCloseTo(.8 / 3, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 9, 10, 19, 20, 57})
    void theConformalFactorIsTheSmallestThatHoldsItsShare(int n) {
        SplittableRandom random = new SplittableRandom(n);
        List<RatioForecast> past = random.doubles(n)
                .mapToObj(u -> forecast(Math.exp(-.1 - u), 1, Math.exp(.2 + u),
                        Math.exp(1.5 * random.nextGaussian())))
                .toList();
        double factor = ConformalWidth.factor(past, .9);
        // Brute force: of all factors that put one more observation on the edge, the least that holds enough of them.
        int wanted = (int) Math.min(n, Math.ceil(.9 * (n + 1)));
        double least = past.stream().mapToDouble(RatioForecast::residual)
                .filter(f -> inside(past, f * (1 + 1e-9)) >= wanted).min().orElseThrow();
        assertThat(factor).isEqualTo(least);
        assertThat(inside(past, factor * (1 - 1e-6))).isLessThan(wanted);
    }

    private static long inside(List<RatioForecast> past, double factor) {
        return past.stream().filter(f -> f.widened(factor).inside()).count();
    }

    /** The promise of the n + 1 rule: a new, exchangeable residual lies within the quantile with the stated share. */
    @Test
    void theNPlusOneRuleHoldsItsShare() {
        SplittableRandom random = new SplittableRandom(7);
        int n = 19;
        int trials = 20_000;
        long hits = IntStream.range(0, trials).filter(_ -> {
            double[] past = random.doubles(n).toArray();
            return random.nextDouble() <= ConformalWidth.quantile(past, .9);
        }).count();
        assertThat(Proportion.test((int) hits, trials, 18 / 20.0)).isGreaterThan(.001);
    }

    @Test
    void exactForecastsDoNotWidenOthers() {
        List<RatioForecast> past = new ArrayList<>(List.of(forecast(.5, 1, 2, 1.5)));
        double alone = ConformalWidth.factor(past, .9);
        past.add(forecast(.5, .5, .5, .7));
        assertThat(past.getLast().residual()).isInfinite();
        assertThat(ConformalWidth.factor(past, .9)).isEqualTo(alone);
        assertThat(alone).isCloseTo(Math.log(1.5) / Math.log(2), within(1e-12));
    }

    @Test
    void wideningKeepsTheEstimateAndUndoesItself() {
        RatioForecast f = forecast(.5, 1.2, 2, 1);
        RatioForecast back = f.widened(1.7).widened(1 / 1.7);
        assertThat(back.low()).isCloseTo(.5, within(1e-12));
        assertThat(back.high()).isCloseTo(2, within(1e-12));
        assertThat(forecast(0, 1, 2, 1).widened(3).low()).isZero();
    }

    @Test
    void badForecasts() {
        assertThatThrownBy(() -> forecast(1, .5, 2, 1))
                .hasMessage("estimate 0.5: expected a number in [1.0, 2.0], low at least 0");
        assertThatThrownBy(() -> forecast(.5, 1, 2, 0))
                .hasMessage("observed 0.0: expected a positive finite number");
        assertThatThrownBy(() -> ForecastScore.of(List.of())).hasMessage("forecasts 0: expected at least 1");
    }
}
