package dev.assay.load;

import static dev.assay.load.LoadFixtures.MS;
import static dev.assay.load.LoadFixtures.one;
import static dev.assay.load.LoadFixtures.options;
import static dev.assay.load.LoadFixtures.requests;
import static dev.assay.load.LoadFixtures.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Metrics;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The twelve fixtures of the reference on measurement, each over a real socket; the numbers in the names are its own. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FixturesIT {
    private static RequestOutcome chat(String name) throws IOException {
        String body = Streams.chat(name);
        return one(Target.Api.CHAT, e -> e.stream().chunk(body).write("0\r\n\r\n"));
    }

    /** Sends the events one by one, with a pause in between. */
    private static RequestOutcome paced(String body, long pauseMs) throws IOException {
        return one(Target.Api.CHAT, e -> {
            e.stream();
            for (String event : body.split("(?<=\n\n)")) {
                e.chunk(event);
                Thread.sleep(pauseMs);
            }
            e.write("0\r\n\r\n");
        });
    }

    @Test
    void fixture01aRoleOnlyDeltaIsNoToken() throws IOException {
        RequestOutcome o = paced(Streams.chat("role-only delta first"), 40);
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.contentTokens()).containsExactly(1, 1);
        // The role came at once; the first token one pause later.
        assertThat(Metrics.perRequest(o).ttftMs().orElseThrow()).isGreaterThan(39);
    }

    @Test
    void fixture02aUsageOnlyChunkIsNoToken() throws IOException {
        RequestOutcome o = paced(Streams.chat("usage-only last chunk"), 40);
        assertThat(o.contentTokens()).containsExactly(1, 1);
        assertThat(o.outputTokens()).isEqualTo(2);
        assertThat(o.promptTokens()).hasValue(9);
        assertThat(o.cachedTokens()).hasValue(2);
        assertThat(o.lastContentNanos().orElseThrow()).isLessThan(o.endNanos() - 39 * MS);
    }

    @Test
    void fixture03reasoningIsContentAndTheAnswerHasItsOwnTime() throws IOException {
        RequestOutcome o = paced(Streams.chat("reasoning, then content"), 30);
        assertThat(o.contentTokens()).containsExactly(1, 1, 1);
        assertThat(o.outputTokens()).isEqualTo(3);
        assertThat(o.text()).isEqualTo("a");
        assertThat(o.firstAnswerNanos().orElseThrow()).isEqualTo(o.contentNanos()[2]);
        assertThat(o.contentNanos()[2] - o.contentNanos()[0]).isGreaterThan(59 * MS);
    }

    @Test
    void fixture04commentsAreSkipped() throws IOException {
        RequestOutcome o = chat("comments");
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.text()).isEqualTo("ab");
        assertThat(o.contentTokens()).containsExactly(1, 1);
    }

    @Test
    void fixture05linesMayEndInCrlfOrCr() throws IOException {
        RequestOutcome crlf = chat("CRLF");
        assertThat(crlf.failure()).as(crlf.detail()).isEmpty();
        assertThat(crlf.text()).isEqualTo("a\n");
        assertThat(crlf.outputTokens()).isEqualTo(2);
        assertThat(chat("CR").contentTokens()).containsExactly(1, 1);
    }

    @Test
    void fixture06anAnswerWithoutATokenFailed() throws IOException {
        RequestOutcome o = chat("zero tokens");
        assertThat(o.failure()).contains(FailureClass.EMPTY);
        assertThat(Metrics.perRequest(o).ttftMs()).isEmpty();
        assertThat(Metrics.good(o, Slo.none())).isFalse();
        assertThat(Metrics.summarize(List.of(o), Slo.none(), 1, List.of()).goodFraction()).hasValue(0);
    }

    @Test
    void fixture07anEarlyEndWithoutUsageCountsItsEvents() throws IOException {
        RequestOutcome o = chat("early end without usage");
        assertThat(o.failure()).isEmpty();
        assertThat(o.usageReported()).isFalse();
        assertThat(o.outputTokens()).as("not the 4 asked for").isEqualTo(1);
        LoadRun run = run(Target.Api.CHAT, requests(8, 0, 4), options(),
                e -> e.stream().chunk(Streams.chat("early end without usage")).write("0\r\n\r\n"));
        assertThat(Validity.check(run, true, true, Map.of()))
                .filteredOn(c -> c.check().equals("output-length")).extracting(ValidityCheck::status)
                .containsExactly(Status.FAIL);
    }

    @Test
    void fixture08aReplyOfOneTokenHasNoTpot() throws IOException {
        RequestOutcome o = chat("one token");
        assertThat(o.failure()).isEmpty();
        assertThat(o.outputTokens()).isEqualTo(1);
        assertThat(Metrics.perRequest(o).tpotMs()).isEmpty();
        assertThat(Metrics.perRequest(o).ttftMs()).isPresent();
        assertThat(Metrics.itlMs(List.of(o))).isEmpty();
    }

    @Test
    void fixture09aPromptOfAHundredThousandTokens() throws IOException {
        String prompt = "word \"é\" ".repeat(50_000);
        AtomicInteger seen = new AtomicInteger();
        LoadRun run = run(Target.Api.COMPLETIONS,
                List.of(new Request(0, 0, prompt, 100_000, 1, "d", Optional.empty())), options(), e -> {
                    seen.set(Json.parse(e.body(), "body").asObject().require("prompt").asText()
                            .equals(prompt) ? 1 : -1);
                    e.stream().text("a").usage(100_000, 1).done();
                });
        RequestOutcome o = run.outcomes().getFirst();
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.promptTokens()).hasValue(100_000);
        assertThat(seen).hasValue(1);
    }

    /** The whole server stands still for 2 s; a client that waits for it before it sends would hide most of that. */
    @Test
    void fixture10aStallShowsInEveryRequestScheduledInIt() throws IOException {
        long from = 300;
        long to = from + 2000;
        AtomicLong start = new AtomicLong();
        LoadRun run = run(Target.Api.COMPLETIONS, requests(300, 10_000, 2), LoadOptions.openLoop(),
                e -> {
                    start.compareAndSet(0, System.nanoTime());
                    long at = (System.nanoTime() - start.get()) / MS;
                    if (at >= from && at < to) {
                        Thread.sleep(to - at);
                    }
                    e.stream().text("a").text("b").done();
                });
        assertThat(run.outcomes()).allMatch(RequestOutcome::completed);
        int inside = 0;
        for (RequestOutcome o : run.outcomes()) {
            long scheduled = o.request().arrivalNanos() / MS;
            double ttft = Metrics.perRequest(o).ttftMs().orElseThrow();
            if (scheduled > from + 20 && scheduled < to - 20) {
                inside++;
                assertThat(ttft).as("scheduled at %d", scheduled).isGreaterThan(to - 20 - scheduled);
            } else if (scheduled < from - 20) {
                assertThat(ttft).as("scheduled at %d", scheduled).isLessThan(200);
            }
        }
        assertThat(inside).isGreaterThan(50);
    }

    @Test
    void fixture11tenThousandSmallRequests() throws IOException {
        LoadRun run = run(Target.Api.COMPLETIONS, requests(10_000, 0, 1), LoadOptions.closedLoop(32),
                e -> e.stream().text("a").usage(4, 1).done());
        assertThat(run.outcomes()).hasSize(10_000).allMatch(RequestOutcome::completed);
        assertThat(run.outcomes()).allMatch(o -> o.outputTokens() == 1 && o.contentNanos().length == 1);
        assertThat(run.client().connections()).as("keep-alive").isLessThan(100);
    }

    @Test
    void fixture12armsWithOtherCacheHitsAreNotComparable() throws IOException {
        Validity.Path cold = path(0);
        Validity.Path warm = path(60);
        assertThat(statuses(cold, warm)).containsEntry("prefix-hit-gap", Status.FAIL);
        assertThat(statuses(cold, cold)).containsEntry("prefix-hit-gap", Status.PASS);
    }

    private static Validity.Path path(int cached) throws IOException {
        LoadRun run = run(Target.Api.COMPLETIONS, requests(20, 1000, 1), options(),
                e -> e.stream().text("a").event("{\"choices\":[],\"usage\":{\"prompt_tokens\":100,"
                        + "\"completion_tokens\":1,\"prompt_tokens_details\":{\"cached_tokens\":" + cached
                        + "}}}")
                        .done());
        OptionalDouble share = Validity.prefixHitShare(run.outcomes(), Map.of());
        assertThat(share).hasValue(cached / 100.0);
        return new Validity.Path(share, OptionalLong.of(100_000));
    }

    private static Map<String, Status> statuses(Validity.Path a, Validity.Path b) {
        return Validity.compare(a, b).stream()
                .collect(Collectors.toMap(ValidityCheck::check, ValidityCheck::status));
    }

    @Test
    void bundledTextlessAndToolCallTokens() throws IOException {
        RequestOutcome o = chat("bundled and textless tokens with running usage");
        assertThat(o.contentTokens()).containsExactly(2, 1, 4);
        assertThat(o.outputTokens()).isEqualTo(7);
        RequestOutcome tools = chat("tool calls");
        assertThat(tools.contentTokens()).containsExactly(1, 1);
        assertThat(tools.firstAnswerNanos()).isEqualTo(tools.firstContentNanos());
        RequestOutcome joined = chat("byte order mark and joined lines");
        assertThat(joined.failure()).as(joined.detail()).isEmpty();
        assertThat(joined.text()).isEqualTo("aéé😀");
    }
}
