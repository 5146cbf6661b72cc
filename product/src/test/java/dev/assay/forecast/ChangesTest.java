package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.forecast.LocalMeasurements.Collectives;
import dev.assay.forecast.LocalMeasurements.Epilogue;
import dev.assay.forecast.LocalMeasurements.Link;
import dev.assay.forecast.LocalMeasurements.Speculation;
import dev.assay.model.ModelShape;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.workload.Request;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formulas of docs/changes, each against a published value or a calculation that shares no code with it. */
class ChangesTest {
    private static final ModelShape LLAMA_70B = new ModelShape(80, 8192, 64, 8, 128, 28672, 128_256, 8192,
            500_000, 1e-5, false);
    /** Streaming overlaps compute: flat up to 4 rows, then linear. */
    private static final StepConstants LAW = new StepConstants(1e6, 2e6, 2e6 / 4 / flops(), 2e6 / 4 / flops(),
            0.1, true);

    private static double flops() {
        return new StepArithmetic(Fixtures.SHAPE, Fixtures.settings(8)).decodeFlops();
    }

    private static EngineSettings settings(int devices, Optional<Integer> drafted, QuantFormat kv,
            Optional<String> epilogue, Optional<String> path) {
        return new EngineSettings(8, 512, 16, Optional.empty(), QuantFormat.F32, kv, Optional.empty(),
                devices == 1 ? Optional.empty() : Optional.of(devices), drafted, epilogue, path,
                Optional.empty());
    }

    private static EngineSettings plain() {
        return Fixtures.settings(8);
    }

    private static CostModel cost(EngineSettings baseline, EngineSettings arm, LocalMeasurements measured) {
        return CostModel.of(Fixtures.SHAPE, baseline, arm, LAW, CostModel.Variation.none(1e9),
                Effects.of(baseline, arm, measured, Effects.Deviates.CENTRAL));
    }

    private static Range exactly(double value) {
        return new Range(value, value);
    }

    private static LocalMeasurements measured(Optional<Epilogue> epilogue, Optional<Speculation> speculation,
            Optional<Collectives> collectives) {
        return new LocalMeasurements(epilogue, speculation, collectives, OptionalDouble.empty());
    }

    /** Amdahl's law over a decode step: share 0.2 and speed-up 2 leave 0.9 of it, whatever the rows. */
    @ParameterizedTest(name = "share {0}, speed-up {1}, {2} rows")
    @CsvSource({"0.2, 2, 1", "0.2, 2, 8", "0.12, 1.9, 3", "0.5, 0.5, 8"})
    void aFusedEpilogueFollowsAmdahl(double share, double speedup, int rows) {
        LocalMeasurements m = measured(Optional.of(new Epilogue(exactly(share), exactly(speedup))),
                Optional.empty(), Optional.empty());
        EngineSettings fused = settings(1, Optional.empty(), QuantFormat.F32, Optional.of("fused"),
                Optional.empty());
        double ratio = cost(plain(), fused, m).plainNanos(rows, 300)
                / cost(plain(), plain(), m).plainNanos(rows, 300);
        assertThat(ratio).isCloseTo(1 / Limits.amdahl(share, speedup), within(1e-12));
        // A step without decode rows has no decode epilogue.
        assertThat(cost(plain(), fused, m).overheadNanos(0, 50, 0)).isEqualTo(LAW.overheadNanos());
    }

    /** Leviathan et al. 2023, equation 1: alpha 0.8 with 5 drafted tokens gives 3.69 tokens a step. */
    @ParameterizedTest(name = "acceptance {0}, {1} drafted")
    @CsvSource({"0.8, 5, 3.68928", "0.5, 1, 1.5", "0, 4, 1", "1, 3, 4"})
    void tokensPerStepOfADraft(double acceptance, int drafted, double tokens) {
        assertThat(Effects.tokensPerStep(acceptance, drafted)).isCloseTo(tokens, within(1e-9));
        SplittableRandom random = new SplittableRandom(7);
        int runs = 200_000;
        long made = 0;
        for (int i = 0; i < runs; i++) {
            int accepted = 0;
            while (accepted < drafted && random.nextDouble() < acceptance) {
                accepted++;
            }
            made += accepted + 1;
        }
        assertThat(made / (double) runs).isCloseTo(tokens, within(0.015));
    }

    /** While compute hides behind the weights a step costs the same and gives more tokens; beyond, rows are paid. */
    @Test
    void draftingHelpsBelowTheKneeAndHurtsAboveIt() {
        EngineSettings drafting = settings(1, Optional.of(3), QuantFormat.F32, Optional.empty(),
                Optional.empty());
        LocalMeasurements m = measured(Optional.empty(),
                Optional.of(new Speculation(exactly(0.6), exactly(0))), Optional.empty());
        CostModel before = cost(plain(), plain(), m);
        CostModel after = cost(plain(), drafting, m);
        double tokens = 1 + 0.6 + 0.36 + 0.216;
        assertThat(after.plainNanos(1, 0) / before.plainNanos(1, 0)).isCloseTo(1 / tokens, within(1e-12));
        // 8 sequences verify 32 rows: 1 + 32/4 x 2 = 17 ms for 2.176 tokens each, against 1 + 4 = 5 ms for one.
        assertThat(after.plainNanos(8, 0) / before.plainNanos(8, 0)).isCloseTo(17 / tokens / 5,
                within(1e-12));
        int first = 1;
        while (Math.max(2, 0.5 * 4 * first) / tokens + 1 / tokens < Math.max(2, 0.5 * first) + 1) {
            first++;
        }
        assertThat(ForecastReading.flip(before, after, 16, n -> n, _ -> 0)).hasValue(first);
        assertThat(after.kneeRows()).isCloseTo(1, within(1e-12));
        assertThat(before.kneeRows()).isCloseTo(4, within(1e-12));
    }

    /** Each drafted token costs its share of a plain decode step. */
    @Test
    void draftingCostsItsShare() {
        EngineSettings drafting = settings(1, Optional.of(2), QuantFormat.F32, Optional.empty(),
                Optional.empty());
        LocalMeasurements m = measured(Optional.empty(),
                Optional.of(new Speculation(exactly(0), exactly(0.1))), Optional.empty());
        assertThat(cost(plain(), drafting, m).plainNanos(1, 0)).isCloseTo(3e6 + 2 * 0.1 * 3e6, within(1e-6));
    }

    /** forecasting.md section 2: 70B on 8 devices, 2.62 MB of payload and 4.59 MB on the wire for a token. */
    @Test
    void collectiveBytesOfA70BModel() {
        EngineSettings eight = new EngineSettings(8, 512, 16, Optional.empty(), QuantFormat.BF16,
                QuantFormat.BF16, Optional.empty(), Optional.of(8), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty());
        StepArithmetic a = new StepArithmetic(LLAMA_70B, eight);
        assertThat(a.collectives()).isEqualTo(160);
        assertThat(a.collectiveBytesPerToken() / 1e6).isCloseTo(4.59, within(0.005));
        assertThat(a.collectiveBytesPerToken() / (2.0 * 7 / 8) / 1e6).isCloseTo(2.62, within(0.005));
        // The same section: 327,680 B of KV a token in 16 bits, one KV head a device.
        assertThat(a.kvBytesPerToken()).isEqualTo(327_680 / 8);
        assertThat(a.decodeFlops()).isEqualTo(LLAMA_70B.matmulFlops(true) / 8.0);
    }

    @Test
    void headsThatCannotBeSplitAreRefusedInOneLine() {
        EngineSettings three = settings(3, Optional.empty(), QuantFormat.F32, Optional.empty(),
                Optional.empty());
        assertThatThrownBy(() -> new StepArithmetic(LLAMA_70B, three)).isInstanceOf(AssayException.class)
                .hasMessageContaining("tensor_parallel_size is 3")
                .hasMessageContaining("64 query and 8 KV heads")
                .hasMessageNotContaining("\n");
        // Sixteen devices hold a copy of a KV head each.
        StepArithmetic sixteen = new StepArithmetic(LLAMA_70B, settings(16, Optional.empty(),
                QuantFormat.F32, Optional.empty(), Optional.empty()));
        assertThat(sixteen.kvBytesPerToken()).isEqualTo(2L * 80 * 128 * 4);
    }

    /** A path moves a step by 2 L (alpha' - alpha) + T wire (1/beta' - 1/beta), and nothing else. */
    @Test
    void aCollectivePathMovesTheStepByItsLaw() {
        EngineSettings ring = settings(2, Optional.empty(), QuantFormat.F32, Optional.empty(),
                Optional.of("ring"));
        EngineSettings oneShot = settings(2, Optional.empty(), QuantFormat.F32, Optional.empty(),
                Optional.of("one-shot"));
        LocalMeasurements m = measured(Optional.empty(), Optional.empty(),
                Optional.of(new Collectives(Optional.of(new Link(exactly(30), exactly(150))),
                        Optional.of(new Link(exactly(10), exactly(100))))));
        double wire = 2 * 8 * (2.0 * 1 / 2) * 512 * 4;
        for (int tokens : new int[]{1, 8, 256}) {
            double moved = 2 * 8 * (10e3 - 30e3) + tokens * wire * (1 / 100.0 - 1 / 150.0);
            assertThat(cost(ring, oneShot, m).otherNanos(tokens, 0, 0)
                    - cost(ring, ring, m).otherNanos(tokens, 0, 0))
                    .isCloseTo(moved, within(1e-6));
        }
        // Latency wins a decode step; the lower rate loses a large prompt: the sign turns where both are equal.
        double even = 2 * 8 * 20e3 / (wire * (1 / 100.0 - 1 / 150.0));
        assertThat(cost(ring, oneShot, m).otherNanos(0, even, 0))
                .isCloseTo(cost(ring, ring, m).otherNanos(0, even, 0), within(1e-3));
    }

    /** Without efficiency lost, two devices halve weights, operations and KV; all-reduces come on top. */
    @Test
    void splittingHalvesTheTermsAndAddsCollectives() {
        EngineSettings two = settings(2, Optional.empty(), QuantFormat.F32, Optional.empty(),
                Optional.empty());
        LocalMeasurements m = measured(Optional.empty(), Optional.empty(), Optional.of(
                new Collectives(Optional.empty(), Optional.of(new Link(exactly(20), exactly(100))))));
        Effects drawn = Effects.of(plain(), two, m, Effects.Deviates.CENTRAL);
        Effects lossless = new Effects(1, 1, 1, 1, drawn.baselineLink(), drawn.candidateLink(), 0, 1, 0, 0);
        CostModel before = cost(plain(), plain(), m);
        CostModel after = CostModel.of(Fixtures.SHAPE, plain(), two, LAW, CostModel.Variation.none(1e9),
                lossless);
        double wire = 2 * 8 * 512 * 4;
        for (int rows : new int[]{1, 8}) {
            double split = (before.plainNanos(rows, 500) - 1e6) / 2 + 1e6 + 2 * 8 * 20e3 + rows * wire / 100;
            assertThat(after.plainNanos(rows, 500)).isCloseTo(split, within(1e-6));
        }
        assertThat(drawn.streamTime()).isBetween(1.0, 1.25);
    }

    @Test
    void kvBytesAreExactAndTheirTimeLiesBetweenBytesAndUnpacking() {
        KvEffect q8 = KvEffect.of(QuantFormat.F16, QuantFormat.Q8_0);
        assertThat(q8.bytes()).isEqualTo(8.5 / 16);
        assertThat(q8.time(1, 0, 0)).isCloseTo(8.5 / 16 / Math.sqrt(0.7 * 1.3), within(1e-12));
        assertThat(q8.time(0, 0, 0)).isCloseTo(Math.sqrt(0.9 * 2.0), within(1e-12));
        assertThat(KvEffect.of(QuantFormat.Q8_0, QuantFormat.Q8_0).time(0.3, 2, -2)).isEqualTo(1);
        EngineSettings packed = settings(1, Optional.empty(), QuantFormat.Q8_0, Optional.empty(),
                Optional.empty());
        double ratio = cost(plain(), packed, LocalMeasurements.NONE).kvNanos(100)
                / cost(plain(), plain(), LocalMeasurements.NONE).kvNanos(100);
        assertThat(ratio).isCloseTo(KvEffect.of(QuantFormat.F32, QuantFormat.Q8_0).time(0.5, 0, 0),
                within(1e-12));
    }

    /** Bytes of a block as the formats' own definitions have them: ggml's structs, the packings of vLLM's kernels. */
    @ParameterizedTest
    @CsvSource({"F32, 32, 128", "BF16, 33, 66", "Q8_0, 32, 34", "Q8_0, 33, 68", "Q4_0, 32, 18",
            "Q4_K, 256, 144",
            "Q6_K, 256, 210", "IQ4_XS, 256, 136", "FP8, 1000, 1000", "INT8, 7, 7", "FP8_BLOCK, 16384, 16388",
            "INT4_G128, 256, 132", "NVFP4, 16, 9", "MXFP4, 32, 17"})
    void bytesOfAFormatAreExact(QuantFormat format, long values, long bytes) {
        assertThat(format.bytes(values)).isEqualTo(bytes);
    }

    /** A format with which the embedded engine cannot compute is forecast all the same: bytes exact, the rest wide. */
    @ParameterizedTest
    @CsvSource({"FP8, 0.5", "INT4_G128, 0.2578125", "NVFP4, 0.28125"})
    void formatsOfOtherEnginesAreForecast(QuantFormat to, double bytes) {
        EngineSettings half = new EngineSettings(8, 512, 16, Optional.empty(), QuantFormat.BF16,
                QuantFormat.BF16);
        EngineSettings packed = new EngineSettings(8, 512, 16, Optional.empty(), to, QuantFormat.FP8);
        StepArithmetic before = new StepArithmetic(Fixtures.SHAPE, half);
        StepArithmetic after = new StepArithmetic(Fixtures.SHAPE, packed);
        assertThat((double) after.weightBytes() / before.weightBytes()).isCloseTo(bytes, within(1e-3));
        assertThat((double) after.kvBytesPerToken() / before.kvBytesPerToken()).isEqualTo(0.5);
        FormatEffect effect = FormatEffect.of(QuantFormat.BF16, to);
        assertThat(effect.compute(1.645) / effect.compute(-1.645)).isGreaterThan(6);
    }

    /** Observed per-row slopes of both kinds of processor lie within the 90 % interval of the prior. */
    @ParameterizedTest
    @CsvSource({"0.5", "1.1", "1.6"})
    void halfToQ8CoversProcessorsWithAndWithoutHalfPrecisionProducts(double observed) {
        FormatEffect effect = FormatEffect.of(QuantFormat.BF16, QuantFormat.Q8_0);
        assertThat(effect.compute(-1.645)).isLessThan(observed);
        assertThat(effect.compute(1.645)).isGreaterThan(observed);
        assertThat(effect.compute(-1.6448536269514722)).isCloseTo(0.4, within(1e-9));
        assertThat(effect.compute(1.6448536269514722)).isCloseTo(1.7, within(1e-9));
    }

    @Test
    void whatNoBaselineContainsHasToBeMeasured() {
        EngineSettings fused = settings(1, Optional.empty(), QuantFormat.F32, Optional.of("fused"),
                Optional.empty());
        EngineSettings drafting = settings(1, Optional.of(3), QuantFormat.F32, Optional.empty(),
                Optional.empty());
        EngineSettings path = settings(1, Optional.empty(), QuantFormat.F32, Optional.empty(),
                Optional.of("nvls"));
        assertRefused(plain(), fused, "decode_epilogue", "measured.epilogue");
        assertRefused(plain(), drafting, "speculative_tokens", "measured.speculation");
        assertRefused(drafting, plain(), "speculative_tokens", "the baseline drafts");
        assertRefused(plain(), path, "collective_path", "measured.collectives");
    }

    private static void assertRefused(EngineSettings a, EngineSettings b, String knob, String expected) {
        assertThatThrownBy(() -> Blindness.check(a, b, LocalMeasurements.NONE, List.of()))
                .isInstanceOf(AssayException.class).hasMessageContaining(knob).hasMessageContaining(expected)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aRangeGivesItsBoundsAtTheNinetyPercentDeviates() {
        Range range = new Range(0.5, 2);
        assertThat(range.at(0)).isCloseTo(1, within(1e-12));
        assertThat(range.at(-1.6448536269514722)).isCloseTo(0.5, within(1e-12));
        assertThat(range.at(1.6448536269514722)).isCloseTo(2, within(1e-12));
        assertThat(new Range(0, 0.2).at(-5)).isZero();
        assertThat(new Range(0.9, 0.99).at(4, 1)).isEqualTo(1);
        assertThatThrownBy(() -> new Range(2, 1)).hasMessageContaining("from 2.0 to 1.0");
        assertThatThrownBy(() -> new Epilogue(new Range(0.5, 1.5), range)).hasMessageContaining("at most 1");
    }

    @Test
    void theReadingTellsWhereIntervalsExcludeOne() {
        LimiterForecast l = new LimiterForecast(Limiter.COMPUTE, 0.5, Limiter.LAUNCH, 0.2);
        List<PointForecast> points = List.of(point(2, 0.8, 0.9, l), point(4, 0.9, 1.1, l),
                point(8, 1.05, 1.2, l));
        Calibration c = new Calibration(plain(), LAW, Map.of(), List.of(), List.of(), 0, 0, 0.02, List.of(),
                Map.of(), Map.of(), new Calibration.Lengths(0, 1), new Calibration.Region(8, 1, 8, 100, 200),
                100, "", List.of());
        ForecastReading reading = ForecastReading.of(Fixtures.SHAPE, plain(), Fixtures.settings(16), c,
                LocalMeasurements.NONE, new Forecast(0.9, points, List.of(), List.of()));
        assertThat(reading.signs()).singleElement().satisfies(s -> {
            assertThat(s.metric()).isEqualTo(MetricNames.TPOT_P50);
            assertThat(s.below()).hasValue(new ForecastReading.Span(2, 2));
            assertThat(s.above()).hasValue(new ForecastReading.Span(8, 8));
            assertThat(s.flips()).isTrue();
        });
        assertThat(reading.baselineKneeRows().orElseThrow()).isCloseTo(4, within(1e-9));
        assertThat(reading.rowsFlip()).isEmpty();
        assertThat(reading.lengthFlip()).isEmpty();
        assertThat(reading.longest()).isEqualTo(Fixtures.SHAPE.contextLength());
    }

    /** Costs that cross: 5 + 0.5 n against 3 + 0.75 n is shorter up to n = 7, equal at 8, longer from 9 on. */
    @Test
    void theSignOverLengthTurnsWhereTheCostsCross() {
        StepConstants before = new StepConstants(5e6, 0, 0, 0, 0.5e6 / kvBytes(), false);
        StepConstants after = new StepConstants(3e6, 0, 0, 0, 0.75e6 / kvBytes(), false);
        CostModel a = CostModel.calibrated(Fixtures.SHAPE, plain(), before);
        CostModel b = CostModel.calibrated(Fixtures.SHAPE, plain(), after);
        assertThat(ForecastReading.flip(a, b, 100, _ -> 1, n -> n)).hasValue(9);
        assertThat(ForecastReading.flip(a, b, 8, _ -> 1, n -> n)).isEmpty();
        assertThat(ForecastReading.flip(a, a, 100, _ -> 1, n -> n)).isEmpty();
    }

    private static double kvBytes() {
        return new StepArithmetic(Fixtures.SHAPE, plain()).kvBytesPerToken();
    }

    private static PointForecast point(double rate, double low, double high, LimiterForecast l) {
        return new PointForecast(rate, Map.of(), Map.of(),
                Map.of(MetricNames.TPOT_P50, new Quantity((low + high) / 2, low, high)), l, l, Map.of());
    }

    /** A replay with tokens computes what the arithmetic of whole pages leaves, and without a cache the same as ever. */
    @Test
    void aReplayedCacheFindsTheCommonPages() {
        List<Request> requests = new ArrayList<>();
        List<int[]> tokens = new ArrayList<>();
        long left = 0;
        for (int i = 0; i < 40; i++) {
            int prompt = 110 + 7 * (i % 5);
            requests.add(new Request(i, i * 1_000_000_000L, "", prompt, 5, "default", Optional.empty()));
            int[] own = new int[prompt];
            Arrays.fill(own, -i - 1);
            Arrays.fill(own, 0, 100, 42);
            tokens.add(own);
            left += prompt - (i == 0 ? 0 : 96);
        }
        Schedule schedule = Schedule.of(requests, tokens);
        CostModel cost = CostModel.calibrated(Fixtures.SHAPE, plain(), LAW);
        TwinRun cached = new Twin(plain().cachingScheduler(schedule.longestTokens()), cost, 0, new double[0])
                .run(schedule, Long.MAX_VALUE, 0);
        assertThat(cached.counts().prefixQueryTokens() - cached.counts().prefixHitTokens()).isEqualTo(left);
        Twin plain = new Twin(plain().scheduler(schedule.longestTokens()), cost, 0, new double[0]);
        TwinRun bare = plain.run(schedule.withoutTokens(), Long.MAX_VALUE, 0);
        TwinRun lengths = plain.run(Schedule.of(requests), Long.MAX_VALUE, 0);
        assertThat(bare.endNanos()).isEqualTo(lengths.endNanos());
        // A lone request's first token comes after its own part is computed alone.
        StepArithmetic a = new StepArithmetic(Fixtures.SHAPE, plain());
        assertThat(cached.tokens().first(5) - requests.get(5).arrivalNanos())
                .isCloseTo(Math.round(1e6 + Math.max(2e6, a.prefillFlops(96, 14) * 2e6 / 4 / flops())),
                        within(2L));
    }

    /** A candidate that states no pool keeps the baseline's bytes: 8.5 bits in place of 32 hold 32/8.5 times the pages. */
    @Test
    void aPoolOfEqualBytesHoldsMoreOfSmallerPages() {
        EngineSettings full = new EngineSettings(8, 512, 16, Optional.of(96), QuantFormat.F32,
                QuantFormat.F32);
        EngineSettings packed = new EngineSettings(8, 512, 16, Optional.empty(), QuantFormat.F32,
                QuantFormat.Q8_0);
        Calibration c = Calibrator.calibrate(Fixtures.SHAPE, full,
                Fixtures.slots(
                        new SyntheticServer(8, 512, (rows, prompts, kv) -> 3e6 + 0.3e6 * rows, 0, 0.1, 0.02),
                        List.of(4.0, 8.0), 3));
        Forecast f = Forecaster
                .forecast(new ForecastRequest(Fixtures.SHAPE, full, packed, c, Fixtures.WORKLOAD,
                        List.of(8.0), Slo.none(), 2, 6, 1));
        assertThat(f.assumptions()).anyMatch(a -> a.contains((int) (96 * 32 / 8.5) + " pages"));
        assertThat(f.warnings()).anyMatch(w -> w.contains("attention waits for bytes"));
        assertThatThrownBy(() -> Forecaster.forecast(new ForecastRequest(Fixtures.SHAPE, full, caching(), c,
                Fixtures.WORKLOAD, List.of(8.0), Slo.none(), 2, 6, 1)))
                .isInstanceOf(AssayException.class).hasMessageContaining("enable_prefix_caching");
    }

    private static EngineSettings caching() {
        return new EngineSettings(8, 512, 16, Optional.of(96), QuantFormat.F32, QuantFormat.F32,
                Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty());
    }
}
