package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses cut at every place and at random places against the same ones in one piece. */
class ResponseReaderTest {
    private static Stream<String> names() {
        return Streams.chat().keySet().stream();
    }

    /** Feeds the bytes in parts that end where {@code next} says, and returns all that is known of the outcome. */
    private static String read(ResponseReader reader, byte[] bytes, IntUnaryOperator next, boolean closes) {
        Exchange exchange = new Exchange(
                new Request(0, 0, "p", 1, 4, "d", Optional.empty()), ByteBuffer.allocate(0), 0);
        reader.begin(exchange);
        int at = 0;
        // Each part lies alone in its array, so that nothing can be read that has not arrived.
        while (at < bytes.length) {
            int to = Math.min(bytes.length, next.applyAsInt(at));
            reader.feed(Arrays.copyOfRange(bytes, at, to), 0, to - at, to);
            at = to;
        }
        if (closes) {
            reader.closed(at);
        }
        RequestOutcome o = exchange.outcome(0, Optional.ofNullable(reader.failure()), reader.detail());
        return o.failure() + " " + o.detail() + " " + reader.concluded() + " "
                + (reader.failure() == null && reader.reusable()) + " "
                + Arrays.toString(o.contentTokens()) + o.outputTokens() + o.usageReported() + o.promptTokens()
                + o.cachedTokens() + exchange.firstAnswerNanos / Integer.MAX_VALUE + " '" + o.text() + "'";
    }

    @ParameterizedTest
    @MethodSource("names")
    void anyCutGivesTheSameEvents(String name) {
        String body = Streams.chat(name);
        SplittableRandom random = new SplittableRandom(name.hashCode());
        ResponseReader reader = new ResponseReader(Target.Api.CHAT, true);
        for (int chunk : new int[]{0, 1, 7, 4000}) {
            byte[] bytes = Streams.response(body, chunk);
            String whole = read(reader, bytes, _ -> bytes.length, false);
            assertThat(whole).isEqualTo(read(reader, bytes, at -> at + 1, false));
            for (int cut = 1; cut < bytes.length; cut++) {
                int place = cut;
                String parts = read(reader, bytes, at -> at < place ? place : bytes.length, false);
                if (!parts.equals(whole)) {
                    assertThat(parts).as("%s, chunks of %d, cut at %d", name, chunk, cut).isEqualTo(whole);
                }
            }
            for (int i = 0; i < 50; i++) {
                assertThat(read(reader, bytes, at -> at + 1 + random.nextInt(60), false)).isEqualTo(whole);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void theFramingOfTheResponseDoesNotMatter(String name) {
        ResponseReader reader = new ResponseReader(Target.Api.CHAT, true);
        String body = Streams.chat(name);
        byte[] length = Streams.response(body, 0);
        byte[] chunks = Streams.response(body, 9);
        String expected = read(reader, length, _ -> length.length, false);
        assertThat(read(reader, chunks, _ -> chunks.length, false)).isEqualTo(expected);
        byte[] untilClose = ("HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
        assertThat(read(reader, untilClose, _ -> untilClose.length, true).replace(" false [", " true ["))
                .isEqualTo(expected.replace(" false [", " true ["));
    }

    private static ResponseReader fed(String text) {
        ResponseReader reader = new ResponseReader(Target.Api.CHAT, false);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        read(reader, bytes, _ -> bytes.length, false);
        return reader;
    }

    @Test
    void whatFollowsAnAnswerUnaskedEndsTheConnectionAndNotTheAnswer() {
        String good = new String(Streams.response(Streams.delta("content", "a") + Streams.DONE, 50),
                StandardCharsets.UTF_8);
        assertThat(fed(good).reusable()).isTrue();
        assertThat(fed(good).unusable()).isFalse();
        ResponseReader more = fed(good + "HTTP/1.1 408 Too Late\r\n\r\n");
        assertThat(more.failure()).isNull();
        assertThat(more.reusable()).isFalse();
        assertThat(more.unusable()).isTrue();
        ResponseReader idle = fed(good);
        idle.feed(new byte[]{'x'}, 0, 1, 0);
        assertThat(idle.unusable()).isTrue();
        assertThat(fed(good.replace("Date:", "Connection: close\r\nDate:")).unusable()).isTrue();
    }

    @Test
    void aServerThatGoesOnBehindItsTerminatorLosesItsConnection() {
        ResponseReader reader = fed("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                + Streams.delta("content", "a") + Streams.DONE);
        assertThat(reader.concluded()).isTrue();
        assertThat(reader.unusable()).isFalse();
        byte[] noise = ": ping\n\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 9; i++) {
            reader.feed(noise, 0, noise.length, 0);
        }
        assertThat(reader.unusable()).isTrue();
        assertThat(reader.failure()).isNull();
    }

    @Test
    void headsThatAreNoneAreNamed() {
        for (String bad : new String[]{"HTTP/2 200\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 2000\r\n", "\r\n",
                "HTTP/1.1 200 OK\r\n: x\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1234567890123456\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1g\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n"}) {
            assertThat(fed(bad).failure()).as(bad).isEqualTo(FailureClass.MALFORMED);
        }
        assertThat(fed("HTTP/1.1 200\r\nX: " + "y".repeat(70_000) + "\r\n\r\n").failure())
                .isEqualTo(FailureClass.MALFORMED);
        assertThat(fed("HTTP/1.1 200\r\n" + "X: y\r\n".repeat(20_000)).failure())
                .isEqualTo(FailureClass.MALFORMED);
        assertThat(fed("HTTP/1.1 100 Go on\r\n\r\n".repeat(5000)).failure())
                .isEqualTo(FailureClass.MALFORMED);
    }
}
