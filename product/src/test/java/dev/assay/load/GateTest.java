package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.workload.FailureClass;
import dev.assay.workload.Outcomes;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check of the gate with a run that passes it and one that does not. */
class GateTest {
    private static final LoadRun.ClientHealth CALM = new LoadRun.ClientHealth(0.1, 0.2, 0, 4, 4, 0);
    private static final Optional<RoundTrip> NEAR = Optional
            .of(new RoundTrip("/health", 21, 0.2, 0.18, 0.25));
    private static final Ceiling CEILING = new Ceiling(1000, 10_000, 100, "2026-11-29", "test");

    /** The checks of a run by name. */
    private record Checks(Map<String, ValidityCheck> all) {
        ValidityCheck get(String name) {
            return Optional.ofNullable(all.get(name)).orElseThrow();
        }
    }

    private static Checks checks(List<RequestOutcome> outcomes, LoadRun.ClientHealth client,
            GateInputs inputs, Map<String, Double> telemetry) {
        Map<String, ValidityCheck> all = new TreeMap<>();
        long window = outcomes.stream().mapToLong(RequestOutcome::endNanos).max().orElse(1);
        for (ValidityCheck c : Gate.check(new LoadRun(0, window, outcomes, client),
                new Gate.Context(true, true, telemetry, inputs))) {
            all.put(c.check(), c);
        }
        return new Checks(all);
    }

    private static Checks checks(List<RequestOutcome> outcomes) {
        return checks(outcomes, CALM, GateInputs.of(NEAR, NEAR, Optional.of(CEILING)), Map.of());
    }

    /** Requests each 10 ms, two tokens, with this TTFT and this TPOT in milliseconds. */
    private static List<RequestOutcome> run(int n, IntToLongFunction ttft, IntToLongFunction tpot) {
        List<RequestOutcome> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            long first = 10L * i + ttft.applyAsLong(i);
            all.add(Outcomes.completed(i, 10L * i, first, first + tpot.applyAsLong(i)));
        }
        return all;
    }

    private static List<RequestOutcome> steady(int n) {
        return run(n, i -> 20 + i % 3, _ -> 5);
    }

    @Test
    void aLongCleanRunPassesEverything() {
        Map<String, ValidityCheck> all = checks(steady(700)).all();
        assertThat(all).containsOnlyKeys("achieved-rate", "schedule-lag", "client-saturation",
                "client-headroom",
                "error-share", "output-length", "prompt-tokens", "prefix-hits", "sample-count",
                "steady-state",
                "percentile-p50", "percentile-p90", "percentile-p95", "percentile-p99", "round-trip");
        assertThat(all.values()).allMatch(c -> c.status() == Status.PASS || c.status() == Status.ABSENT);
    }

    /** Oracle: the floors of mlcommons/endpoints: p90 64, p95 130, p99 662; at 100/s p99 takes 7 s. */
    @ParameterizedTest
    @CsvSource({"90, 64", "95, 130", "99, 662"})
    void aRunTooShortForAPercentileSaysHowLongItHasToBe(int p, int floor) {
        String name = "percentile-p" + p;
        assertThat(checks(steady(floor)).get(name).status()).isEqualTo(Status.PASS);
        ValidityCheck less = checks(steady(floor - 1)).get(name);
        assertThat(less.status()).isEqualTo(Status.WARN);
        assertThat(less.detail()).contains("needs " + floor + " completed requests, has " + (floor - 1))
                .containsPattern("at \\d+(\\.\\d+)?/s this takes \\d+ s");
    }

    @Test
    void fewerThanSixCompletedRequestsAreVoid() {
        assertThat(checks(steady(5)).get("sample-count").status()).isEqualTo(Status.FAIL);
        assertThat(checks(steady(6)).get("sample-count").status()).isEqualTo(Status.PASS);
    }

    @Test
    void aBacklogThatGrowsInALineIsSaturationAndAnUnevenOneIsNot() {
        ValidityCheck growing = checks(run(400, i -> 5L * i, _ -> 5)).get("steady-state");
        assertThat(growing.status()).isEqualTo(Status.WARN);
        assertThat(growing.detail()).startsWith("saturated:");
        assertThat(checks(run(400, i -> 20 + 30L * (i / 40 % 2), _ -> 5)).get("steady-state").status())
                .isEqualTo(Status.PASS);
    }

    /** A stable queue that is nearly full wanders; only a rare one of them may look like a line. */
    @Test
    void aBusyServerThatKeepsUpIsSeldomCalledSaturated() {
        int wrong = 0;
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<RequestOutcome> all = new ArrayList<>();
            double now = 0;
            double[] free = new double[8];
            for (int i = 0; i < 600; i++) {
                now += -Math.log(1 - random.nextDouble()) / 6.4;
                int best = 0;
                for (int s = 1; s < free.length; s++) {
                    best = free[s] < free[best] ? s : best;
                }
                free[best] = Math.max(now, free[best]) - Math.log(1 - random.nextDouble());
                all.add(Outcomes.completed(i, Math.round(now * 1000), Math.round(free[best] * 1000) + 1));
            }
            wrong += Backlog.of(all).saturated() ? 1 : 0;
        }
        assertThat(wrong).isLessThan(10);
    }

    @Test
    void aLatencyThatDriftsIsUnsteady() {
        ValidityCheck check = checks(run(400, i -> 20 + i % 3, i -> 5 + i / 50)).get("steady-state");
        assertThat(check.status()).isEqualTo(Status.WARN);
        assertThat(check.detail()).startsWith("unsteady: TPOT changes by +");
    }

    @Test
    void pastEightyPercentOfTheCeilingTheSlotIsInvalid() {
        GateInputs inputs = GateInputs.of(NEAR, NEAR, Optional.of(CEILING));
        List<RequestOutcome> run = steady(700);
        LoadRun.ClientHealth half = new LoadRun.ClientHealth(0.1, 0.2, 0, 60, 60, 0);
        LoadRun.ClientHealth full = new LoadRun.ClientHealth(0.1, 0.2, 0, 81, 81, 0);
        assertThat(checks(run, half, inputs, Map.of()).get("client-headroom").status())
                .isEqualTo(Status.WARN);
        assertThat(checks(run, full, inputs, Map.of()).get("client-headroom").status())
                .isEqualTo(Status.FAIL);
        ValidityCheck unknown = checks(run, full, GateInputs.of(NEAR, NEAR, Optional.empty()), Map.of())
                .get("client-headroom");
        assertThat(unknown.status()).isEqualTo(Status.ABSENT);
        assertThat(unknown.detail()).isEqualTo("ceiling unknown: run assay load --self-test");
        LoadRun slow = new LoadRun(0, 7_000_000_000L, run, full);
        assertThat(Gate.headroom(slow, inputs)).isCloseTo(0.19, within(1e-9));
        assertThat(Gate.headroom(slow, GateInputs.of(NEAR, NEAR, Optional.empty()))).isCloseTo(0.9,
                within(1e-9));
        // 700 requests of two events in 0.7 s: all of 1,000 requests/s.
        assertThat(CEILING.used(new LoadRun(0, 700_000_000L, run, CALM))).isCloseTo(1, within(1e-9));
    }

    @Test
    void aBusyClientIsVoidWithoutAnyCeiling() {
        LoadRun.ClientHealth busy = new LoadRun.ClientHealth(0.85, 1, 0, 4, 4, 0);
        assertThat(checks(steady(100), busy, GateInputs.of(NEAR, NEAR, Optional.empty()), Map.of())
                .get("client-saturation").status()).isEqualTo(Status.FAIL);
    }

    @Test
    void errorsAreCountedAndNamed() {
        List<RequestOutcome> some = new ArrayList<>(steady(100));
        some.add(Outcomes.failed(100, 1000, FailureClass.RESET));
        assertThat(checks(some).get("error-share").status()).isEqualTo(Status.WARN);
        for (int i = 101; i < 108; i++) {
            some.add(Outcomes.failed(i, 1000, FailureClass.RESET));
        }
        assertThat(checks(some).get("error-share").status()).isEqualTo(Status.FAIL);
        assertThat(checks(some).get("error-share").detail()).contains("reset, it failed");
    }

    @Test
    void outputsAndPromptsOfAnotherLengthAreSeen() {
        List<RequestOutcome> shorter = new ArrayList<>();
        List<RequestOutcome> longer = new ArrayList<>();
        for (RequestOutcome o : steady(100)) {
            shorter.add(with(o, 1, 8));
            longer.add(with(o, 2, 12));
        }
        assertThat(checks(shorter).get("output-length").status()).isEqualTo(Status.FAIL);
        assertThat(checks(shorter).get("prompt-tokens").status()).isEqualTo(Status.PASS);
        assertThat(checks(longer).get("output-length").status()).isEqualTo(Status.PASS);
        assertThat(checks(longer).get("prompt-tokens").status()).isEqualTo(Status.FAIL);
    }

    private static RequestOutcome with(RequestOutcome o, int outputTokens, long promptTokens) {
        return new RequestOutcome(o.request(), o.sentNanos(), o.firstByteNanos(), o.headersNanos(),
                o.firstAnswerNanos(), o.endNanos(), o.contentNanos(), o.contentTokens(), outputTokens, true,
                OptionalLong.of(promptTokens), o.cachedTokens(), o.failure(), "", "");
    }

    @Test
    void aPrefixCacheThatHelpsIsSeen() {
        assertThat(checks(steady(100), CALM, GateInputs.of(NEAR, NEAR, Optional.empty()),
                Map.of("prefix_hit_share", 0.06)).get("prefix-hits").status()).isEqualTo(Status.WARN);
    }

    @Test
    void aPathThatChangesWithinTheSlotIsSeen() {
        Optional<RoundTrip> far = Optional.of(new RoundTrip("/health", 21, 2.29, 2.2, 2.4));
        assertThat(checks(steady(100), CALM, GateInputs.of(NEAR, far, Optional.empty()), Map.of())
                .get("round-trip").status()).isEqualTo(Status.WARN);
        assertThat(checks(steady(100), CALM, GateInputs.of(far, far, Optional.empty()), Map.of())
                .get("round-trip").status()).isEqualTo(Status.PASS);
        assertThat(
                checks(steady(100), CALM, GateInputs.of(NEAR, Optional.empty(), Optional.empty()), Map.of())
                        .get("round-trip").status())
                .isEqualTo(Status.ABSENT);
    }

    @Test
    void theCeilingIsKeptInTheUsersCache(@TempDir Path home) throws Exception {
        Path file = Ceiling.file(Map.of(), home.toString());
        assertThat(file).isEqualTo(home.resolve(".cache/assay/ceiling.json"));
        assertThat(Ceiling.file(Map.of("XDG_CACHE_HOME", "/c"), "/h"))
                .isEqualTo(Path.of("/c/assay/ceiling.json"));
        assertThat(Ceiling.read(file)).isEmpty();
        CEILING.write(file);
        assertThat(Ceiling.read(file)).contains(CEILING);
        Files.writeString(file, "{");
        assertThat(Ceiling.read(file)).isEmpty();
    }

    /** A server whose TTFT falls through its first 100 requests is not warm before that, and then is. */
    @Test
    void theWarmUpEndsWhenTheLatestRequestsCannotBeToldFromThoseBefore() {
        SplittableRandom random = new SplittableRandom(7);
        List<RequestOutcome> cooling = run(600,
                i -> (long) (20 + Math.max(0, 150 - i) + 6 * random.nextDouble()),
                _ -> 5);
        assertThat(ServerWarmup.doubt(cooling.subList(0, 38))).isEqualTo("too few requests to tell");
        assertThat(ServerWarmup.doubt(cooling.subList(0, 120))).startsWith("TTFT still changes");
        assertThat(ServerWarmup.doubt(cooling)).isEmpty();
        assertThat(ServerWarmup.doubt(run(200, _ -> 20, i -> 5 + i / 50))).startsWith("TPOT still changes");
        assertThat(new ServerWarmup(false, 10, 1, "no").check().status()).isEqualTo(Status.WARN);
    }
}
