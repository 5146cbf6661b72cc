package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Request;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;

class ForecasterTest {
    private static final Slo SLO = new Slo(OptionalDouble.of(200), OptionalDouble.of(12),
            OptionalDouble.empty());
    private static final List<Double> RATES = List.of(4.0, 8.0, 11.0, 14.0);
    private static final SyntheticServer.Law LAW = (rows, prompts, kv) -> 1.2e6
            + Math.max(2.35e6, 0.6e6 * rows + 0.57e6 * prompts) + 1770.0 * kv;
    private static final int BLOCKS = 6;
    private static final Calibration AT_CAP_8 = calibration(8, 7, RATES);

    private static SyntheticServer server(int cap) {
        return new SyntheticServer(cap, 512, LAW, 0.8e6, 0.15e6, 0.05);
    }

    private static Calibration calibration(int cap, long seed, List<Double> rates) {
        return Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(cap),
                Fixtures.slots(server(cap), rates, seed),
                SLO);
    }

    private static ForecastRequest request(Calibration c, EngineSettings candidate, List<Double> points,
            int blocks) {
        return new ForecastRequest(Fixtures.SHAPE, c.baseline(), candidate, c, Fixtures.WORKLOAD, points, SLO,
                Fixtures.SLOT_SECONDS, blocks, 42);
    }

    /** The mean log ratio over blocks of an independent loop, as the measurement forms it. */
    private static double measuredRatio(SyntheticServer one, SyntheticServer two, double rate, long seed,
            String metric) {
        double sum = 0;
        for (int block = 0; block < BLOCKS; block++) {
            List<Request> schedule = Fixtures.schedule(rate, Fixtures.SLOT_SECONDS, seed * 977 + block);
            for (int slot = 0; slot < 2; slot++) {
                long s = seed * 100 + block * 4L + slot;
                sum += Math.log(value(two, schedule, s, metric) / value(one, schedule, s + 2, metric)) / 2;
            }
        }
        return Math.exp(sum / BLOCKS);
    }

    private static double value(SyntheticServer server, List<Request> schedule, long seed, String metric) {
        return MetricValues.client(server.serve(schedule, seed), SLO).getOrDefault(metric, Double.NaN);
    }

    /**
     * Calibrated at cap 8, asked for 16 at a load where the cap binds: a 90 % interval must hold the ratio that the
     * control measures in so many of the seeds that a coverage of 90 % stays plausible (exact binomial, 1 %).
     */
    @Test
    void intervalsCoverWhatAnIndependentServerMeasures() {
        int seeds = 12;
        int ttft = 0;
        int tpot = 0;
        List<String> misses = new ArrayList<>();
        for (int seed = 1; seed <= seeds; seed++) {
            Calibration c = calibration(8, seed, List.of(6.0, 13.0));
            PointForecast p = Forecaster.forecast(request(c, Fixtures.settings(16), List.of(13.0), BLOCKS))
                    .points()
                    .getFirst();
            double t = measuredRatio(server(8), server(16), 13, seed, MetricNames.TTFT_P95);
            double d = measuredRatio(server(8), server(16), 13, seed, MetricNames.TPOT_P50);
            ttft += Fixtures.at(p.ratio(), MetricNames.TTFT_P95).covers(t) ? 1 : 0;
            tpot += Fixtures.at(p.ratio(), MetricNames.TPOT_P50).covers(d) ? 1 : 0;
            misses.add(seed + ": ttft " + t + " in " + Fixtures.at(p.ratio(), MetricNames.TTFT_P95)
                    + ", tpot " + d + " in "
                    + Fixtures.at(p.ratio(), MetricNames.TPOT_P50));
        }
        BinomialDistribution nominal = BinomialDistribution.of(seeds, Forecaster.LEVEL);
        assertThat(nominal.cumulativeProbability(ttft)).as("TTFT covered %d: %s", ttft, misses)
                .isGreaterThan(0.01);
        assertThat(nominal.cumulativeProbability(tpot)).as("TPOT covered %d: %s", tpot, misses)
                .isGreaterThan(0.01);
    }

    @Test
    void aLargerCapIsForecastAsTheControlMeasuresIt() {
        Forecast forecast = Forecaster
                .forecast(request(AT_CAP_8, Fixtures.settings(32), RATES, BLOCKS));
        PointForecast low = forecast.points().getFirst();
        assertThat(Fixtures.at(low.ratio(), MetricNames.TPOT_P50).estimate()).isCloseTo(1, within(0.02));
        assertThat(low.baselineLimiter().limiter()).isEqualTo(Limiter.ARRIVALS);
        PointForecast high = forecast.points().getLast();
        assertThat(high.baselineLimiter().limiter()).isEqualTo(Limiter.BATCH_SLOTS);
        assertThat(high.candidateLimiter().limiter()).isEqualTo(Limiter.COMPUTE);
        assertThat(Fixtures.at(high.ratio(), MetricNames.TTFT_P95).high()).isLessThan(0.8);
        assertThat(Fixtures.at(high.ratio(), MetricNames.TPOT_P50).low()).isGreaterThan(1);
        assertThat(Fixtures.at(high.ratio(), MetricNames.TTFT_P50).covers(
                measuredRatio(server(8), server(32), 14, 3, MetricNames.TTFT_P50))).isTrue();
        assertThat(forecast.warnings()).anyMatch(w -> w.contains("extrapolated"));
        // The larger the cap, the fewer wait for a slot, at every load.
        for (PointForecast p : forecast.points()) {
            assertThat(Fixtures.at(p.candidate(), MetricNames.DECODE_ROWS).estimate())
                    .isGreaterThanOrEqualTo(
                            0.98 * Fixtures.at(p.baseline(), MetricNames.DECODE_ROWS).estimate());
        }
    }

    @Test
    void moreLoadNeverMakesRequestsFaster() {
        Forecast forecast = Forecaster
                .forecast(request(AT_CAP_8, Fixtures.settings(8), RATES, BLOCKS));
        for (String metric : List.of(MetricNames.TTFT_P95, MetricNames.TPOT_P50, MetricNames.E2E_P50,
                MetricNames.DECODE_ROWS)) {
            double before = 0;
            for (PointForecast p : forecast.points()) {
                assertThat(Fixtures.at(p.baseline(), metric).estimate()).as(metric).isGreaterThan(before);
                before = Fixtures.at(p.baseline(), metric).estimate();
                Quantity same = Fixtures.at(p.ratio(), metric);
                assertThat(same.covers(1)).as("%s of equal arms: %s", metric, same).isTrue();
            }
        }
    }

    @Test
    void fewerBitsChangeBytesExactlyAndTimeWithinAWideInterval() {
        Calibration c = AT_CAP_8;
        PointForecast p = Forecaster
                .forecast(request(c, Fixtures.settings(8, QuantFormat.Q8_0), RATES, BLOCKS))
                .points().get(1);
        Quantity bytes = Fixtures.at(p.ratio(), MetricNames.WEIGHT_BYTES);
        assertThat(bytes.estimate()).isCloseTo(8.5 / 32, within(1e-12));
        assertThat(bytes.high() - bytes.low()).isLessThan(1e-12);
        Quantity tpot = Fixtures.at(p.ratio(), MetricNames.TPOT_P50);
        assertThat(tpot.high() / tpot.low()).isGreaterThan(1.3);
        assertThat(tpot.low()).isLessThan(1);
    }

    @Test
    void theDetectionLimitFollowsTheNoiseAndNeedsSixBlocks() {
        Calibration c = AT_CAP_8;
        Forecast six = Forecaster.forecast(request(c, Fixtures.settings(16), List.of(8.0), 6));
        Forecast twelve = Forecaster.forecast(request(c, Fixtures.settings(16), List.of(8.0), 12));
        Forecast two = Forecaster.forecast(request(c, Fixtures.settings(16), List.of(8.0), 2));
        double limit = Fixtures.at(six.points().getFirst().detectionLimit(), MetricNames.TPOT_P50);
        // Normal theory: (t + z) sd / sqrt(6) with t = 2.571 and z = 0.842 gives 1.39 sd; the exact value is near.
        assertThat(Math.log1p(limit) / Fixtures.at(c.noise(), MetricNames.TPOT_P50)).isBetween(1.3, 1.6);
        assertThat(Fixtures.at(twelve.points().getFirst().detectionLimit(), MetricNames.TPOT_P50))
                .isLessThan(limit);
        assertThat(two.points().getFirst().detectionLimit()).isEmpty();
        assertThat(two.warnings()).anyMatch(w -> w.contains("2 blocks"));
    }

    @Test
    void theSameRequestGivesTheSameForecastAndSurvivesItsFile() {
        Calibration c = AT_CAP_8;
        ForecastRequest request = request(c, Fixtures.settings(16), List.of(6.0, 12.0), BLOCKS);
        Forecast forecast = Forecaster.forecast(request);
        assertThat(Forecaster.forecast(request)).isEqualTo(forecast);
        assertThat(Json.read(Json.canonical(forecast), Forecast.class, "forecast.json")).isEqualTo(forecast);
    }

    @Test
    void impossibleRequestsAreRefusedInOneLine() {
        Calibration c = AT_CAP_8;
        EngineSettings tiny = new EngineSettings(8, 512, 16, Optional.of(4), QuantFormat.F32,
                QuantFormat.F32);
        assertThatThrownBy(() -> Forecaster.forecast(request(c, tiny, List.of(6.0), BLOCKS)))
                .isInstanceOf(AssayException.class).hasMessageContaining("num_blocks 4")
                .hasMessageNotContaining("\n");
        EngineSettings blind = new EngineSettings(8, 512, 16, Optional.empty(), QuantFormat.F32,
                QuantFormat.F32, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.of(Map.of("threads", "2")));
        assertThatThrownBy(() -> Forecaster.forecast(request(c, blind, List.of(6.0), BLOCKS)))
                .isInstanceOf(AssayException.class).hasMessageContaining("the arms differ in threads, which");
        assertThatThrownBy(
                () -> new ForecastRequest(Fixtures.SHAPE, Fixtures.settings(4), Fixtures.settings(8), c,
                        Fixtures.WORKLOAD, RATES, SLO, 6, 6, 1))
                .hasMessageContaining("calibration is of");
    }

    /** At one rate below the knee, bursts wait for one another and equal gaps do not. */
    @Test
    void theArrivalLawIsReplayed() {
        List<Double> ttft = new ArrayList<>();
        for (ArrivalLaw law : List.of(new ArrivalLaw.Constant(), new ArrivalLaw.Poisson(),
                new ArrivalLaw.Gamma(0.1))) {
            ForecastRequest r = request(AT_CAP_8, Fixtures.settings(16), List.of(8.0), BLOCKS);
            Forecast forecast = Forecaster.forecast(new ForecastRequest(r.shape(), r.baseline(),
                    r.candidate(), r.calibration(), r.workload(), r.loadPoints(), r.slo(), r.slotSeconds(),
                    r.blocks(), r.seed(), r.measured(), law));
            assertThat(forecast.assumptions().getFirst()).startsWith(law.words() + " at the load point");
            ttft.add(Fixtures.at(forecast.points().getFirst().baseline(), MetricNames.TTFT_P95).estimate());
        }
        assertThat(ttft.get(1)).isGreaterThan(1.2 * ttft.get(0));
        assertThat(ttft.get(2)).isGreaterThan(2 * ttft.get(1));
    }

    @Test
    void equalGapsLongerThanTheSlotAreRefused() {
        ForecastRequest r = request(AT_CAP_8, Fixtures.settings(16), List.of(0.9 / Fixtures.SLOT_SECONDS),
                BLOCKS);
        assertThatThrownBy(() -> Forecaster.forecast(new ForecastRequest(r.shape(), r.baseline(),
                r.candidate(), r.calibration(), r.workload(), r.loadPoints(), r.slo(), r.slotSeconds(),
                r.blocks(), r.seed(), r.measured(), new ArrivalLaw.Constant())))
                .isInstanceOf(AssayException.class).hasMessageContaining("expected at least 1");
    }
}
