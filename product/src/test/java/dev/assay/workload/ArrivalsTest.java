package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The processes against their laws; all seeds are fixed, so that no test ever flickers. */
class ArrivalsTest {
    private static double[] times(Arrivals arrivals, long seed, int n) {
        Arrivals.Times times = arrivals.times(seed);
        return IntStream.range(0, n).mapToDouble(_ -> times.nextNanos() / 1e9).toArray();
    }

    private static double[] gaps(Arrivals arrivals, long seed, int n) {
        double[] at = times(arrivals, seed, n);
        return IntStream.range(0, n).mapToDouble(i -> at[i] - (i == 0 ? 0 : at[i - 1])).toArray();
    }

    private static int countBefore(Arrivals arrivals, long seed, double seconds) {
        Arrivals.Times times = arrivals.times(seed);
        int n = 0;
        while (times.nextNanos() < seconds * 1e9) {
            n++;
        }
        return n;
    }

    private static double ks(double[] sample, java.util.function.DoubleUnaryOperator law) {
        return KolmogorovSmirnovTest.withDefaults().test(sample, law).getPValue();
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
    }

    /** Variance over mean of the counts in windows of a second. */
    private static double dispersion(double[] times) {
        int windows = (int) times[times.length - 1];
        double[] counts = new double[windows];
        for (double at : times) {
            if (at < windows) {
                counts[(int) at]++;
            }
        }
        return variance(counts) / mean(counts);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 77, 123456789})
    void poissonGapsAreExponential(long seed) {
        assertThat(ks(gaps(new Arrivals.Poisson(20), seed, 4000),
                ExponentialDistribution.of(1 / 20.0)::cumulativeProbability)).isGreaterThan(0.001);
    }

    /** The first gap is left out: it is the rest of one that began before the run. */
    @ParameterizedTest
    @CsvSource({"0.4,1", "0.25,2", "0.5,3", "1,4", "2,5", "16,6"})
    void gammaGapsFollowTheirLaw(double burstiness, long seed) {
        double[] gaps = gaps(new Arrivals.Gamma(20, burstiness), seed, 4001);
        GammaDistribution law = GammaDistribution.of(burstiness, 1 / (20 * burstiness));
        assertThat(ks(Arrays.copyOfRange(gaps, 1, gaps.length), law::cumulativeProbability))
                .isGreaterThan(0.001);
    }

    /** Over 200 seeds the test's own p-values are uniform: no seed and no run of seeds is special. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1})
    void pValuesOverSeedsAreUniform(double burstiness) {
        double[] p = LongStream.range(0, 200).mapToDouble(seed -> {
            double[] gaps = gaps(new Arrivals.Gamma(20, burstiness), seed, 201);
            return ks(Arrays.copyOfRange(gaps, 1, gaps.length),
                    GammaDistribution.of(burstiness, 1 / (20 * burstiness))::cumulativeProbability);
        }).toArray();
        assertThat(ks(p, UniformContinuousDistribution.of(0, 1)::cumulativeProbability))
                .isGreaterThan(0.001);
    }

    /** Neighbouring seeds are independent: their first gaps together are exponential, and so are their ratios' laws. */
    @Test
    void firstGapsOverSeedsAreExponential() {
        double[] first = LongStream.range(0, 3000)
                .mapToDouble(seed -> gaps(new Arrivals.Poisson(1), seed, 1)[0]).toArray();
        assertThat(ks(first, ExponentialDistribution.of(1)::cumulativeProbability)).isGreaterThan(0.001);
        double meanProduct = IntStream.range(1, first.length).mapToDouble(i -> first[i] * first[i - 1])
                .average().orElseThrow();
        assertThat(meanProduct).isCloseTo(1, within(0.1));
    }

    /** 1 for a Poisson process, 0 for equal gaps, near 1/burstiness for a renewal process over long windows. */
    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7})
    void dispersionIsWhatTheNamePromises(long seed) {
        assertThat(dispersion(times(new Arrivals.Poisson(20), seed, 20_000))).isCloseTo(1, within(0.15));
        assertThat(dispersion(times(new Arrivals.Constant(20), seed, 20_000))).isLessThan(0.01);
        assertThat(dispersion(times(new Arrivals.Gamma(200, 0.25), seed, 200_000))).isCloseTo(4, within(0.6));
        assertThat(dispersion(times(new Arrivals.Gamma(20, 4), seed, 20_000))).isCloseTo(0.25, within(0.06));
    }

    /**
     * A bursty process that starts with a whole gap has (CV² − 1)/2 = 4.5 arrivals too many; the stationary start has
     * rate × time in the mean (Cox 1962, section 4.2). 4,000 seeds give a standard error of 0.2.
     */
    @Test
    void burstyArrivalsKeepTheirRateFromTheStart() {
        double[] counts = LongStream.range(0, 4000)
                .mapToDouble(seed -> countBefore(new Arrivals.Gamma(4, 0.1), seed, 5)).toArray();
        assertThat(mean(counts)).isCloseTo(20, within(0.8));
    }

    /** Time put through the cumulative rate is a unit Poisson process (time rescaling, Brown et al. 2002). */
    @ParameterizedTest
    @CsvSource({"0,40,1", "40,0,2", "10,30,3", "20,20,4", "30,10,5"})
    void rampFollowsItsCumulativeRate(double from, double to, long seed) {
        double seconds = 100;
        Arrivals ramp = new Arrivals.Ramp(from, to, (long) (seconds * 1e9));
        Arrivals.Times times = ramp.times(seed);
        double[] mass = LongStream.generate(times::nextNanos).takeWhile(t -> t != Arrivals.Times.END)
                .mapToDouble(t -> t / 1e9).map(t -> from * t + (to - from) * t * t / (2 * seconds)).toArray();
        double[] gaps = IntStream.range(0, mass.length)
                .mapToDouble(i -> mass[i] - (i == 0 ? 0 : mass[i - 1])).toArray();
        assertThat(ks(gaps, ExponentialDistribution.of(1)::cumulativeProbability)).isGreaterThan(0.001);
        double expected = seconds * (from + to) / 2;
        assertThat((double) mass.length).isCloseTo(expected, within(4 * Math.sqrt(expected)));
        assertThat(times.nextNanos()).isEqualTo(Arrivals.Times.END);
    }

    /** Mean and variance of the counts in the ramp's fifths over 400 seeds: Poisson with the area under the rate. */
    @Test
    void rampCountsOverSeedsArePoissonInEachPart() {
        Arrivals ramp = new Arrivals.Ramp(2, 10, 10_000_000_000L);
        double[][] counts = new double[5][400];
        for (int seed = 0; seed < 400; seed++) {
            Arrivals.Times times = ramp.times(seed);
            for (long t = times.nextNanos(); t != Arrivals.Times.END; t = times.nextNanos()) {
                counts[(int) Math.min(4, t / 2_000_000_000L)][seed]++;
            }
        }
        for (int part = 0; part < 5; part++) {
            double area = 2 * (2 + 1.6 * part + 0.8);
            assertThat(mean(counts[part])).isCloseTo(area, within(4 * Math.sqrt(area / 400)));
            assertThat(variance(counts[part]) / mean(counts[part])).isCloseTo(1, within(0.3));
        }
    }

    /** inference-perf's "constant" draws exponential gaps (reference/measurement.md 2.1: dispersion 1.06). */
    @Test
    void constantArrivalsAreConstantAndDoNotDrift() {
        Arrivals.Times times = new Arrivals.Constant(3).times(1);
        long last = 0;
        for (int i = 1; i <= 300_000; i++) {
            long at = times.nextNanos();
            assertThat(at - last).isBetween(333_333_332L, 333_333_335L);
            last = at;
        }
        assertThat(last).isEqualTo(100_000_000_000_000L);
    }

    /**
     * GuideLLM's ten workers draw the same gaps, each repeated about ten times (dispersion 9.4). Here one stream makes
     * the schedule: gaps do not repeat, and dealing the requests to ten connections in turn changes none.
     */
    @Test
    void gapsDoNotRepeatAndConnectionsDoNotMatter() {
        double[] gaps = gaps(new Arrivals.Poisson(100), 3, 10_000);
        Set<Double> different = new HashSet<>();
        Arrays.stream(gaps).forEach(different::add);
        assertThat(different.size()).isGreaterThan(9_990);
        Schedule schedule = WorkloadSpec
                .of(new LengthDistribution.Constant(4), new LengthDistribution.Constant(4))
                .requests(new Arrivals.Poisson(100), new Extent.Count(5000), 3, Calibration.ASSUMED);
        Iterator<Request> one = schedule.iterator();
        Iterator<Request> other = schedule.iterator();
        for (int i = 0; i < 5000; i += 10) {
            for (int k = 0; k < 10; k++) {
                Request r = one.next();
                assertThat(r.arrivalNanos() / 1e9).isCloseTo(
                        Arrays.stream(gaps, 0, r.id() + 1).sum(), within(1e-6));
            }
            for (int k = 0; k < 10; k++) {
                assertThat(other.next().id()).isEqualTo(i + k);
            }
        }
    }

    /** vLLM stretches the gaps so that the last arrival is at N/rate (vllm#21108); a Poisson process varies by √N/rate. */
    @Test
    void theLastArrivalIsNotForced() {
        double[] last = LongStream.range(0, 1000)
                .mapToDouble(seed -> times(new Arrivals.Poisson(10), seed, 100)[99]).toArray();
        assertThat(mean(last)).isCloseTo(10, within(0.12));
        assertThat(variance(last)).isCloseTo(1, within(0.18));
    }

    @Test
    void sameSeedSameTimesAndAnotherSeedOthers() {
        for (Arrivals each : new Arrivals[]{new Arrivals.Poisson(3), new Arrivals.Gamma(3, 0.3),
                new Arrivals.Ramp(1, 9, 90_000_000_000L)}) {
            assertThat(gaps(each, 9, 50)).isEqualTo(gaps(each, 9, 50)).isNotEqualTo(gaps(each, 10, 50));
        }
    }

    @Test
    void pausesOfPlacesHaveTheirLawAndBelongToTheRequest() {
        Arrivals.ClosedLoop loop = new Arrivals.ClosedLoop(4, Pause.parse("exponential:2"));
        double[] pauses = IntStream.range(0, 4000).mapToDouble(id -> loop.thinkNanos(7, id) / 1e9).toArray();
        assertThat(ks(pauses, ExponentialDistribution.of(2)::cumulativeProbability)).isGreaterThan(0.001);
        assertThat(loop.thinkNanos(7, 11)).isEqualTo(loop.thinkNanos(7, 11))
                .isNotEqualTo(loop.thinkNanos(7, 12));
        assertThat(new Arrivals.ClosedLoop(4).thinkNanos(7, 11)).isZero();
        assertThat(new Arrivals.ClosedLoop(4, Pause.parse("0.5")).thinkNanos(7, 11)).isEqualTo(500_000_000);
    }

    @Test
    void badNumbersAreNamed() {
        assertThatThrownBy(() -> new Arrivals.Poisson(0)).hasMessageContaining("rate is 0.0");
        assertThatThrownBy(() -> new Arrivals.ClosedLoop(0)).hasMessageContaining("concurrency is 0");
        assertThatThrownBy(() -> new Arrivals.Gamma(1, -1)).hasMessageContaining("burstiness is -1.0");
        assertThatThrownBy(() -> new Arrivals.Ramp(0, 0, 1)).hasMessageContaining("not both 0");
        assertThatThrownBy(() -> new Arrivals.Replay(0)).hasMessageContaining("speed is 0.0");
        assertThatThrownBy(() -> Pause.parse("soon")).hasMessageContaining("'soon'");
        assertThatThrownBy(() -> Pause.parse("-1")).hasMessageContaining("'-1'");
    }
}
