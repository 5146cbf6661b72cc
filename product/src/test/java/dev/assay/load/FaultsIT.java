package dev.assay.load;

import static dev.assay.load.LoadFixtures.MS;
import static dev.assay.load.LoadFixtures.requests;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One run in which a server does to its requests everything that a server can do wrong, and answers some well. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FaultsIT {
    private static final long LIMIT_MS = 900;
    private static final String CLOCK = "{\"created\":-99999999999,\"choices\":[{\"text\":\"a\"}]}";

    /** What the server does, and what that is to be counted as: empty where the request is fine. */
    private record Fault(String name, Optional<FailureClass> counted, ScriptedServer.Script script) {
        static Fault of(String name, FailureClass counted, ScriptedServer.Script script) {
            return new Fault(name, Optional.of(counted), script);
        }

        static Fault none(String name, ScriptedServer.Script script) {
            return new Fault(name, Optional.empty(), script);
        }
    }

    private static void forever(ScriptedServer.Exchange e, String text) throws IOException {
        while (true) {
            e.write(text);
        }
    }

    private static List<Fault> faults() {
        List<Fault> all = new ArrayList<>(connections());
        all.addAll(replies());
        all.addAll(streams());
        all.addAll(endless());
        return all;
    }

    private static List<Fault> connections() {
        return List.of(Fault.of("reset before headers", FailureClass.RESET, ScriptedServer.Exchange::reset),
                Fault.of("closed before headers", FailureClass.RESET, e -> e.socket().close()),
                Fault.of("closed within headers", FailureClass.RESET,
                        e -> e.write("HTTP/1.1 200 OK\r\nConte").socket().close()),
                Fault.of("reset mid-stream", FailureClass.RESET, e -> {
                    e.stream().text("a");
                    Thread.sleep(5);
                    e.reset();
                }),
                Fault.of("closed within a chunk", FailureClass.RESET,
                        e -> e.stream().write("ff\r\ndata: {\"choices\"").socket().close()),
                Fault.of("closed short of its length", FailureClass.RESET,
                        e -> e.head("text/event-stream", "Content-Length: 999").write("data: x").socket()
                                .close()),
                Fault.of("stall before headers", FailureClass.TIMEOUT, e -> Thread.sleep(3 * LIMIT_MS)),
                Fault.of("stall within headers", FailureClass.TIMEOUT, e -> {
                    e.write("HTTP/1.1 200 OK\r\nContent-Type: text/ev");
                    Thread.sleep(3 * LIMIT_MS);
                }), Fault.of("stall mid-stream", FailureClass.TIMEOUT, e -> {
                    e.stream().text("a");
                    Thread.sleep(3 * LIMIT_MS);
                }), Fault.of("a trickle of headers", FailureClass.TIMEOUT, e -> {
                    e.write("HTTP/1.1 200 OK\r\n");
                    while (true) {
                        e.write("X: y\r\n");
                        Thread.sleep(20);
                    }
                }), Fault.of("a trickle of tokens", FailureClass.TIMEOUT, e -> {
                    e.stream();
                    while (true) {
                        e.text("a");
                        Thread.sleep(20);
                    }
                }), Fault.none("a stall shorter than the limit", e -> {
                    e.stream().text("a");
                    Thread.sleep(LIMIT_MS / 3);
                    e.text("b").done();
                }));
    }

    private static List<Fault> replies() {
        return List.of(
                Fault.of("429 with a body", FailureClass.HTTP_4XX,
                        e -> e.write("HTTP/1.1 429 Slow\r\nContent-Length: 4\r\n\r\nslow")),
                Fault.of("404 without a body", FailureClass.HTTP_4XX,
                        e -> e.write("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")),
                Fault.of("503 as an event stream", FailureClass.HTTP_5XX,
                        e -> e.write(
                                "HTTP/1.1 503 No\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\n\r\n"
                                        + "data: x\n\n")),
                Fault.of("500 until the connection closes", FailureClass.HTTP_5XX,
                        e -> e.write("HTTP/1.1 500 No\r\n\r\nbroken").socket().close()),
                Fault.of("500 whose body stalls", FailureClass.HTTP_5XX, e -> {
                    e.write("HTTP/1.1 500 No\r\nContent-Length: 99\r\n\r\nhalf");
                    Thread.sleep(3 * LIMIT_MS);
                }),
                Fault.of("redirect", FailureClass.MALFORMED,
                        e -> e.write("HTTP/1.1 307 Go\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")),
                Fault.of("wrong content type", FailureClass.MALFORMED,
                        e -> e.head("text/html", "Content-Length: 6").write("<html>")),
                Fault.of("no content type", FailureClass.MALFORMED,
                        e -> e.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n{\"a\":1")),
                Fault.of("compressed body", FailureClass.MALFORMED,
                        e -> e.stream("Content-Encoding: gzip").chunk("\u001f\u008b")),
                Fault.of("another protocol", FailureClass.MALFORMED, e -> e.write("SSH-2.0-OpenSSH_9\r\n")),
                Fault.of("no content", FailureClass.MALFORMED, e -> e.write("HTTP/1.1 204 None\r\n\r\n")));
    }

    private static List<Fault> streams() {
        return List.of(
                Fault.of("error event", FailureClass.ERROR_EVENT,
                        e -> e.stream().text("a").chunk("event: error\ndata: out of memory\n\n")),
                Fault.of("error as data", FailureClass.ERROR_EVENT,
                        e -> e.stream().text("a").event("{\"error\":{\"message\":\"no\"}}").done()),
                Fault.of("error before any token", FailureClass.ERROR_EVENT,
                        e -> e.stream().event("{\"error\":\"no\"}").done()),
                Fault.of("malformed JSON", FailureClass.MALFORMED,
                        e -> e.stream().text("a").event("{\"choices\":[{\"text\":}]}").done()),
                Fault.of("JSON that is no object", FailureClass.MALFORMED,
                        e -> e.stream().event("[1]").done()),
                Fault.of("bad chunk size", FailureClass.MALFORMED, e -> e.stream().write("xyz\r\n")),
                Fault.of("no terminator", FailureClass.TRUNCATED,
                        e -> e.stream().text("a").write("0\r\n\r\n")),
                Fault.of("no token", FailureClass.EMPTY, e -> e.stream().done()),
                Fault.none("terminator twice", e -> e.stream().text("a").chunk("data: [DONE]\n\n").done()),
                Fault.none("terminator twice, the second behind the response", e -> {
                    e.stream().text("a").done();
                    e.write("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
                }), Fault.none("clock jumps", e -> e
                        .write("HTTP/1.1 200 OK\r\nDate: Fri, 31 Dec 9999 23:59:59 GMT\r\n"
                                + "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .event(CLOCK).event(CLOCK.replace("-9", "9")).done()));
    }

    private static List<Fault> endless() {
        String block = "x".repeat(1 << 15);
        return List.of(Fault.of("endless tokens", FailureClass.MALFORMED, e -> {
            e.stream();
            while (true) {
                e.text("abc");
            }
        }), Fault.of("endless line", FailureClass.MALFORMED, e -> {
            e.head("text/event-stream").write("data: ");
            forever(e, block);
        }), Fault.of("endless event of many lines", FailureClass.MALFORMED, e -> {
            e.head("text/event-stream");
            forever(e, "data: " + block + "\n");
        }), Fault.of("endless headers", FailureClass.MALFORMED, e -> {
            e.write("HTTP/1.1 200 OK\r\n");
            forever(e, "X: " + block.substring(0, 999) + "\r\n");
        }), Fault.of("endless header line", FailureClass.MALFORMED, e -> {
            e.write("HTTP/1.1 200 OK\r\nX: ");
            forever(e, block);
        }), Fault.of("endless answers to go on", FailureClass.MALFORMED,
                e -> forever(e, "HTTP/1.1 100 Continue\r\n\r\n")),
                Fault.of("a chunk of 4 GiB", FailureClass.MALFORMED, e -> {
                    e.stream().write("ffffffff\r\ndata: ");
                    forever(e, block);
                }), Fault.of("endless comments", FailureClass.TIMEOUT, e -> {
                    e.stream();
                    while (true) {
                        e.chunk(": ping\n\n");
                        Thread.sleep(1);
                    }
                }), Fault.of("endless error body", FailureClass.HTTP_5XX, e -> {
                    e.write("HTTP/1.1 500 No\r\n\r\n");
                    while (true) {
                        e.write(block);
                        Thread.sleep(5);
                    }
                }), Fault.none("endless noise behind the terminator", e -> {
                    e.stream().text("a").chunk("data: [DONE]\n\n");
                    forever(e, "8\r\n: ping\n\n\r\n");
                }));
    }

    private static int id(ScriptedServer.Exchange e) {
        String mark = "X-Request-Id: Assay-Request-";
        int at = e.head().indexOf(mark) + mark.length();
        return Integer.parseInt(e.head().substring(at, e.head().indexOf("\r\n", at)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyFaultIsCountedInItsClassAndTheRunGoesOn(boolean open) throws IOException {
        List<Fault> faults = faults();
        // Every second request is fine, so that a fault which spoils a neighbour or its connection shows.
        List<Request> schedule = requests(2 * faults.size(), 4000, 4);
        LoadOptions options = (open ? LoadOptions.openLoop() : LoadOptions.closedLoop(8))
                .withTimeLimit(LIMIT_MS * MS);
        LoadRun run;
        try (ScriptedServer server = new ScriptedServer(e -> {
            int id = id(e);
            if (id % 2 == 1) {
                e.stream().text("x").text("y").done();
            } else {
                faults.get(id / 2).script().answer(e);
            }
        })) {
            run = LoadGenerator.run(Target.of(server.url(), "m"), schedule, options.withText());
        }
        assertThat(run.outcomes()).hasSize(schedule.size());
        for (RequestOutcome o : run.outcomes()) {
            int id = o.request().id();
            Fault fault = faults.get(id / 2);
            Optional<FailureClass> expected = id % 2 == 1 ? Optional.empty() : fault.counted();
            assertThat(o.failure())
                    .as("%s: %s", id % 2 == 1 ? "after " + fault.name() : fault.name(), o.detail())
                    .isEqualTo(expected);
            assertThat(o.detail()).doesNotContain("\n").hasSizeLessThan(500);
            assertThat(o.failure().isPresent()).isEqualTo(!o.detail().isEmpty());
            long sent = o.sentNanos().orElse(o.request().arrivalNanos());
            assertThat(o.endNanos() - sent).as(fault.name()).isLessThan((LIMIT_MS + 400) * MS);
        }
    }

    /** What a response left behind its end may only be seen once the next request is out on its connection. */
    @Test
    void whatIsLeftBehindAResponseDoesNotSpoilTheNextRequest() throws IOException {
        AtomicInteger second = new AtomicInteger();
        LoadRun run;
        try (ScriptedServer server = new ScriptedServer(e -> {
            if (id(e) == 1 && second.getAndIncrement() == 0) {
                e.write("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
            } else {
                e.stream().text("x").done();
            }
        })) {
            run = LoadGenerator.run(Target.of(server.url(), "m"), requests(3, 4000, 1),
                    LoadOptions.closedLoop(1).withTimeLimit(LIMIT_MS * MS).withThink(_ -> 50 * MS));
        }
        assertThat(run.outcomes()).hasSize(3)
                .allSatisfy(o -> assertThat(o.failure()).as(o.detail()).isEmpty());
        assertThat(second).hasValue(2);
    }

    /** Endless answers for a while, all at once and with their text kept: what the client holds must stay small. */
    @Test
    void memoryStaysBoundedUnderEndlessAnswers() throws IOException {
        List<Fault> endless = endless();
        System.gc();
        long before = used();
        long[] most = new long[1];
        try (ScriptedServer server = new ScriptedServer(
                e -> endless.get(e.number() % endless.size()).script().answer(e))) {
            LoadGenerator.run(Target.of(server.url(), "m"), requests(60, 1000, 4),
                    LoadOptions.closedLoop(endless.size()).withTimeLimit(500 * MS).withText()
                            .withProgress(_ -> {
                                System.gc();
                                most[0] = Math.max(most[0], used() - before);
                            }));
        }
        // One event may be 8 MiB, and growing doubles: some 32 MiB for each of the two that are one large event.
        assertThat(most[0]).isBetween(1L, 256L << 20);
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
