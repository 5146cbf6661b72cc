package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TwoSampleRatioTest {
    private static double[] exp(double... logs) {
        return Arrays.stream(logs).map(Math::exp).toArray();
    }

    /** golang/perf, internal/stats/ttest_test.go: Welch {2,1,3,4} v {6,5,7,9}, on the logarithms here. */
    @Test
    void welchAgreesWithGolangPerf() {
        TwoSampleRatio r = TwoSampleRatio.of(exp(2, 1, 3, 4), exp(6, 5, 7, 9), 0.95);
        assertThat(r.df().orElseThrow()).isCloseTo(5.58462, within(1e-5));
        assertThat(r.welchP().orElseThrow()).isCloseTo(0.00851286, within(1e-8));
        assertThat(Math.log(r.ratio())).isCloseTo(4.25, within(1e-12));
    }

    /** golang/perf asserts p = 0 for this pair; the exact value is 6 of 126 (reference: statistics.md 1.1). */
    @Test
    void exactTestOfTiedValues() {
        TwoSampleRatio r = TwoSampleRatio.of(exp(2, 1, 3, 5), exp(1, 1, 1, 1, 1), 0.95);
        assertThat(r.exactP().orElseThrow()).isCloseTo(6.0 / 126, within(1e-12));
    }

    /** benchstat: five separated repeats a side give p = .008; four a side are the fewest for .05. */
    @Test
    void theFloorIsBenchstats() {
        TwoSampleRatio r = TwoSampleRatio.of(new double[]{1, 1.1, 1.2, 1.3, 1.4},
                new double[]{2, 2.1, 2.2, 2.3, 2.4}, 0.95);
        assertThat(r.exactP().orElseThrow()).isCloseTo(2.0 / 252, within(1e-12)).isEqualTo(r.exactFloor());
        assertThat(TwoSampleRatio.fewest(0.05)).isEqualTo(4);
        assertThat(TwoSampleRatio.floor(3, 3)).isCloseTo(0.1, within(1e-12));
    }

    /** Oracle: all bit masks, written apart from the program. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void exactTestAgreesWithBruteForce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] a = random.doubles(random.nextInt(1, 6)).map(x -> 0.5 + x).toArray();
        double[] b = random.doubles(random.nextInt(1, 6)).map(x -> 0.6 + x).toArray();
        double[] logs = new double[a.length + b.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = Math.log(i < a.length ? a[i] : b[i - a.length]);
        }
        int all = 0;
        int extreme = 0;
        double observed = Math.abs(difference(logs, (1 << a.length) - 1));
        for (int mask = 0; mask < 1 << logs.length; mask++) {
            if (Integer.bitCount(mask) == a.length) {
                all++;
                extreme += Math.abs(difference(logs, mask)) >= observed - 1e-12 ? 1 : 0;
            }
        }
        assertThat(TwoSampleRatio.of(a, b, 0.95).exactP().orElseThrow())
                .isCloseTo((double) extreme / all, within(1e-12));
    }

    private static double difference(double[] logs, int mask) {
        double in = 0;
        double out = 0;
        for (int i = 0; i < logs.length; i++) {
            if ((mask >> i & 1) == 1) {
                in += logs[i];
            } else {
                out += logs[i];
            }
        }
        return out / (logs.length - Integer.bitCount(mask)) - in / Integer.bitCount(mask);
    }

    /** An A/A simulation: the exact test at 5 % is wrong in at most 5 % (2,000 draws, three standard errors above). */
    @Test
    void sameSidesAreCalledDifferentAtMostAsOftenAsStated() {
        SplittableRandom random = new SplittableRandom(20260101);
        int wrong = 0;
        for (int i = 0; i < 2000; i++) {
            double[] a = random.doubles(5).map(x -> 10 * Math.exp(0.3 * x * x)).toArray();
            double[] b = random.doubles(5).map(x -> 10 * Math.exp(0.3 * x * x)).toArray();
            wrong += TwoSampleRatio.of(a, b, 0.95).exactP().orElseThrow() <= 0.05 ? 1 : 0;
        }
        assertThat(wrong / 2000.0).isLessThan(0.05 + 3 * Math.sqrt(0.05 * 0.95 / 2000)).isGreaterThan(0.02);
    }

    @Test
    void withoutRepeatsOrSpreadThereIsNoInterval() {
        assertThat(TwoSampleRatio.of(new double[]{2}, new double[]{3}, 0.95).interval()).isEmpty();
        assertThat(TwoSampleRatio.of(new double[]{2, 2}, new double[]{2, 2}, 0.95).interval()).isEmpty();
        assertThat(TwoSampleRatio.of(new double[]{2}, new double[]{3}, 0.95).sd()).isEmpty();
        double[] eleven = new SplittableRandom(1).doubles(11).map(x -> x + 1).toArray();
        TwoSampleRatio many = TwoSampleRatio.of(eleven, eleven, 0.95);
        assertThat(many.exactP()).isEmpty();
        assertThat(many.p()).isEqualTo(many.welchP());
        assertThatThrownBy(() -> TwoSampleRatio.of(new double[]{0}, new double[]{1}, 0.95))
                .hasMessageContaining("A holds 0.0");
    }
}
