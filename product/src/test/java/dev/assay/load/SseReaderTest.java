package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Examples of the WHATWG standard's section 9.2.6, and any cut against the uncut reading. */
class SseReaderTest {
    private static List<String> read(String text, IntSupplier lengths) {
        List<String> events = new ArrayList<>();
        SseReader reader = new SseReader((data, from, length, error, _) -> events
                .add((error ? "!" : "") + new String(data, from, length, StandardCharsets.UTF_8)));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < bytes.length) {
            int to = Math.min(bytes.length, at + lengths.getAsInt());
            reader.feed(bytes, at, to, 0);
            at = to;
        }
        return events;
    }

    private static List<String> whole(String text) {
        return read(text, () -> 1 << 20);
    }

    @Test
    void examplesOfTheStandard() {
        assertThat(whole("data: YHOO\ndata: +2\ndata: 10\n\n")).containsExactly("YHOO\n+2\n10");
        assertThat(whole(
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"))
                .containsExactly("first event", "second event", " third event");
        assertThat(whole("data\n\ndata\ndata\n\ndata:")).containsExactly("", "\n");
        assertThat(whole("data:test\n\ndata: test\n\n")).containsExactly("test", "test");
    }

    @Test
    void lineEndsBomTypesAndUnknownFields() {
        assertThat(whole(
                "\uFEFFdata: a\r\rdata: b\r\n\r\nevent: error\ndata: c\n\nevent: x\nretry: 5\ndataset: q\ndata: d\n\n"))
                .containsExactly("a", "b", "!c", "d");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void anyCutReadsTheSame(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> parts = List.of("data: a", "data:é", "\n", "\r\n", "\r", "\n\n", ": c", "event: error",
                "id: 4",
                "data", "\r\n\r\n");
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(30); k > 0; k--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            assertThat(read(text.toString(), () -> 1 + random.nextInt(9))).as(text.toString())
                    .isEqualTo(whole(text.toString()));
        }
    }
}
