package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.stats.RatioForecast;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Oracle: the rule in the class's own documentation, worked by hand for residuals that are all alike. */
class WidthCorrectionTest {
    /** Forecasts of no change within a factor of 2, each off by {@code residual} of that factor's logarithm. */
    private static List<RatioForecast> off(int n, double residual) {
        return Collections.nCopies(n, new RatioForecast(1, .5, 2, .9, Math.pow(2, residual)));
    }

    private static List<String> reviews(int n) {
        return IntStream.range(0, n).mapToObj(i -> "seal" + (n - i)).toList();
    }

    @Test
    void tooFewForecastsGiveNone() {
        assertThat(WidthCorrection.of(off(7, 3), reviews(7))).isEmpty();
        assertThat(WidthCorrection.of(Collections.nCopies(9, new RatioForecast(1, 1, 1, .9, 1)), reviews(9)))
                .isEmpty();
    }

    @Test
    void theFactorIsShrunkByTheNumberOfReviews() {
        WidthCorrection one = WidthCorrection.of(off(8, 3), reviews(1)).orElseThrow();
        assertThat(one.factor()).isCloseTo(Math.cbrt(3), within(1e-12));
        assertThat(one.quantile().orElseThrow()).isCloseTo(3, within(1e-9));
        assertThat(one.inside()).isZero();
        WidthCorrection eight = WidthCorrection.of(off(40, 3), reviews(8)).orElseThrow();
        assertThat(eight.factor()).isCloseTo(Math.pow(3, .8), within(1e-12));
        assertThat(eight.seals()).isSorted().hasSize(8);
    }

    @Test
    void aWrongModelIsNotMadeRightByWidth() {
        assertThat(WidthCorrection.of(off(8, 50), reviews(2)).orElseThrow().factor()).isCloseTo(2,
                within(1e-12));
    }

    @Test
    void onlyManyForecastsMakeIntervalsNarrower() {
        assertThat(WidthCorrection.of(off(29, .25), reviews(8)).orElseThrow().factor()).isEqualTo(1);
        assertThat(WidthCorrection.of(off(30, .25), reviews(8)).orElseThrow().factor())
                .isCloseTo(Math.pow(.5, .8), within(1e-12));
    }

    @Test
    void onlyRatiosGetWider() {
        Quantity arm = new Quantity(10, 9, 11);
        LimiterForecast limiter = new LimiterForecast(Limiter.ARRIVALS, 1, Limiter.COMPUTE, 0);
        Forecast forecast = new Forecast(.9, List.of(new PointForecast(1, Map.of("a", arm), Map.of("a", arm),
                Map.of("a", new Quantity(1.2, .6, 2.4), "zero", new Quantity(.3, 0, .6), "exact",
                        Quantity.exact(.5)),
                limiter, limiter, Map.of())), List.of("as"), List.of("w"));
        WidthCorrection width = new WidthCorrection(2, java.util.Optional.of(3.0), 8, 0, 2, reviews(2));
        PointForecast wide = width.apply(forecast).points().getFirst();
        assertThat(wide.baseline()).containsEntry("a", arm);
        assertThat(wide.candidate()).containsEntry("a", arm);
        Quantity ratio = java.util.Objects.requireNonNull(wide.ratio().get("a"));
        assertThat(ratio.low()).isCloseTo(.3, within(1e-12));
        assertThat(ratio.high()).isCloseTo(4.8, within(1e-12));
        assertThat(ratio.estimate()).isEqualTo(1.2);
        assertThat(java.util.Objects.requireNonNull(wide.ratio().get("zero")).low()).isZero();
        assertThat(wide.ratio()).containsEntry("exact", Quantity.exact(.5));
        assertThat(width.words())
                .isEqualTo("interval ×2.00 as wide as the model's own, since 0 of 8 past forecasts of"
                        + " this kind lay inside (2 reviews)");
    }
}
