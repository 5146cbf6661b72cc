package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums against a plain computation from the definitions, written here again over streams. */
class MetricsAccumulatorTest {
    private static final Slo TIGHT = new Slo(OptionalDouble.of(60), OptionalDouble.of(12),
            OptionalDouble.of(900));

    /** A request with odd events: bundles, empty counts, missing usage, failures, late sends. */
    private static RequestOutcome random(int id, SplittableRandom random) {
        long arrival = random.nextLong(0, 5_000_000_000L);
        OptionalLong sent = random.nextInt(20) == 0
                ? OptionalLong.empty()
                : OptionalLong.of(arrival + random.nextLong(0, 3_000_000));
        int events = random.nextInt(0, 40);
        long[] at = new long[events];
        int[] tokens = new int[events];
        long now = arrival + random.nextLong(1_000_000, 90_000_000);
        int sum = 0;
        for (int i = 0; i < events; i++) {
            at[i] = now;
            tokens[i] = random.nextInt(6) == 0 ? random.nextInt(0, 5) : 1;
            sum += tokens[i];
            now += random.nextLong(0, 30_000_000);
        }
        boolean usage = random.nextBoolean();
        Optional<FailureClass> failure = random.nextInt(8) == 0
                ? Optional
                        .of(List.of(FailureClass.values()).get(random.nextInt(FailureClass.values().length)))
                : Optional.empty();
        Request request = new Request(id, arrival, "", 8, 8, random.nextBoolean() ? "a" : "b",
                Optional.empty());
        return new RequestOutcome(request, sent, sent, sent,
                events == 0 ? OptionalLong.empty() : OptionalLong.of(at[0]), now, at, tokens,
                usage ? sum + random.nextInt(3) : sum, usage, OptionalLong.empty(), OptionalLong.empty(),
                failure, "", "");
    }

    private static void same(Optional<RunSummary.Spread> found, DoubleStream expected) {
        double[] sorted = expected.sorted().toArray();
        RunSummary.Spread s = found.orElseThrow();
        assertThat(s.n()).isEqualTo(sorted.length);
        assertThat(s.mean()).isEqualTo(Arrays.stream(sorted).average().orElseThrow());
        assertThat(s.p50()).isEqualTo(Percentiles.ofSorted(sorted, 0.5));
        assertThat(s.p99()).isEqualTo(Percentiles.ofSorted(sorted, 0.99));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void equalsThePlainComputationToTheLastBit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<RequestOutcome> all = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            all.add(random(i, random));
        }
        Map<String, Slo> slos = Map.of("a", TIGHT);
        RunSummary s = Metrics.summarize(all, slos, 7_000_000_000L, List.of());
        List<Metrics.PerRequest> each = all.stream().map(Metrics::perRequest).toList();
        same(s.ttftMs(), each.stream().flatMapToDouble(m -> m.ttftMs().stream()));
        same(s.ttftFromSentMs(), each.stream().flatMapToDouble(m -> m.ttftFromSentMs().stream()));
        same(s.tpotMs(), each.stream().flatMapToDouble(m -> m.tpotMs().stream()));
        same(s.e2eMs(), each.stream().flatMapToDouble(m -> m.e2eMs().stream()));
        same(s.itlMs(), Arrays.stream(Metrics.itlMs(all)));
        same(s.scheduleLagMs(), Arrays.stream(Metrics.scheduleLagMs(all)));
        long good = all.stream()
                .filter(o -> Metrics.good(o, slos.getOrDefault(o.request().requestClass(), Slo.none())))
                .count();
        assertThat(s.goodFraction()).hasValue(good / 2000.0);
        assertThat(s.goodputRps()).hasValue(good / 7.0);
        assertThat(s.ttfoMs()).isEmpty();
        long inB = all.stream().filter(o -> o.request().requestClass().equals("b")).count();
        long doneInB = all.stream().filter(o -> o.request().requestClass().equals("b") && o.completed())
                .count();
        RunSummary.ClassSummary a = Objects.requireNonNull(s.classes().orElseThrow().get("a"));
        RunSummary.ClassSummary b = Objects.requireNonNull(s.classes().orElseThrow().get("b"));
        assertThat(b.requests().scheduled()).isEqualTo((int) inB);
        assertThat(b.goodFraction()).hasValue(doneInB / (double) inB);
        assertThat(a.goodputRps() + b.goodputRps())
                .isCloseTo(good / 7.0, within(1e-9));
    }

    @Test
    void oneClassHasNoClassesAndReasoningShowsInTtfo() {
        RequestOutcome plain = Outcomes.completed(0, 0, 50, 60);
        RunSummary without = Metrics.summarize(List.of(plain), TIGHT, 1_000_000_000L, List.of());
        assertThat(without.classes()).isEmpty();
        assertThat(without.ttfoMs()).isEmpty();
        RequestOutcome thought = Outcomes.completed(1, 0, 40, 90, 100);
        thought = new RequestOutcome(thought.request(), thought.sentNanos(), thought.firstByteNanos(),
                thought.headersNanos(), OptionalLong.of(90_000_000), thought.endNanos(),
                thought.contentNanos(), thought.contentTokens(), 3, false, OptionalLong.empty(),
                OptionalLong.empty(), Optional.empty(), "", "");
        RunSummary with = Metrics.summarize(List.of(plain, thought), TIGHT, 1_000_000_000L, List.of());
        assertThat(with.ttfoMs().orElseThrow().mean()).isEqualTo(70);
        assertThat(with.ttftMs().orElseThrow().mean()).isEqualTo(45);
    }

    /** Values over nine decades: each percentile of the buckets within 0.01 % of the sorted sample's. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void bucketsAreWithinTheirError(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Values bucketed = new Values(1000);
        double[] all = random.doubles(200_000, -6, 3).map(x -> Math.pow(10, x)).toArray();
        Arrays.stream(all).forEach(bucketed::add);
        RunSummary.Spread exact = Percentiles.spread(all).orElseThrow();
        RunSummary.Spread s = bucketed.spread().orElseThrow();
        assertThat(s.n()).isEqualTo(200_000);
        assertThat(s.mean()).isCloseTo(exact.mean(), within(exact.mean() * 1e-12));
        assertThat(s.p50()).isCloseTo(exact.p50(), within(exact.p50() * 1e-4));
        assertThat(s.p90()).isCloseTo(exact.p90(), within(exact.p90() * 1e-4));
        assertThat(s.p99()).isCloseTo(exact.p99(), within(exact.p99() * 1e-4));
    }

    @Test
    void gapsGoToBucketsAsOneByOne() {
        SplittableRandom random = new SplittableRandom(5);
        Values exact = new Values();
        Values bucketed = new Values(50);
        for (int i = 0; i < 500; i++) {
            RequestOutcome o = random(i, random);
            exact.addGaps(o.contentNanos(), o.contentTokens());
            bucketed.addGaps(o.contentNanos(), o.contentTokens());
        }
        RunSummary.Spread a = exact.spread().orElseThrow();
        RunSummary.Spread b = bucketed.spread().orElseThrow();
        assertThat(b.n()).isEqualTo(a.n());
        assertThat(b.mean()).isCloseTo(a.mean(), within(1e-9));
        assertThat(b.p95()).isCloseTo(a.p95(), within(a.p95() * 1e-4));
    }

    @Test
    void zerosAndExtremesHaveAPlace() {
        Values values = new Values(1);
        values.add(0, 3);
        values.add(1e-9, 1);
        values.add(1e300, 4);
        RunSummary.Spread s = values.spread().orElseThrow();
        assertThat(s.n()).isEqualTo(8);
        assertThat(s.p99()).isCloseTo(Math.scalb(1.0, 30), within(1e5));
        assertThat(new Values(1).spread()).isEmpty();
    }
}
