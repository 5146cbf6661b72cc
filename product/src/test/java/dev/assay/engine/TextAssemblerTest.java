package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text at character boundaries and stop strings; the oracle is the whole text, searched at once. */
class TextAssemblerTest {
    private static final String TEXT = "Grüße, 世界! 🌍 stop here: STOP and more é";

    /** The text fed in random pieces of 1 to 3 bytes; gives the pieces that came out. */
    private static List<String> feed(TextAssembler assembler, byte[] bytes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> out = new ArrayList<>();
        int at = 0;
        while (at < bytes.length && assembler.found().isEmpty()) {
            int n = Math.min(bytes.length - at, random.nextInt(1, 4));
            byte[] piece = java.util.Arrays.copyOfRange(bytes, at, at + n);
            out.add(assembler.append(piece, true));
            at += n;
        }
        if (assembler.found().isEmpty()) {
            out.add(assembler.finish());
        }
        return out;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void piecesJoinToTheText(long seed) {
        List<String> out = feed(new TextAssembler(List.of()), TEXT.getBytes(StandardCharsets.UTF_8), seed);
        assertThat(String.join("", out)).isEqualTo(TEXT);
        assertThat(out).noneMatch(piece -> piece.contains("\uFFFD"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"STOP", "世界", "🌍 s", "é", "Grüße", "not there", "S"})
    void endsBeforeTheFirstStopText(String stop) {
        for (long seed = 0; seed < 50; seed++) {
            TextAssembler assembler = new TextAssembler(List.of("zzz", stop));
            String out = String.join("", feed(assembler, TEXT.getBytes(StandardCharsets.UTF_8), seed));
            int at = TEXT.indexOf(stop);
            assertThat(out).isEqualTo(at < 0 ? TEXT : TEXT.substring(0, at));
            assertThat(assembler.found().isPresent()).isEqualTo(at >= 0);
        }
    }

    @Test
    void brokenBytesBecomeReplacementCharacters() {
        TextAssembler assembler = new TextAssembler(List.of());
        assertThat(assembler.append(new byte[]{(byte) 0xe4, (byte) 0xb8}, true)).isEmpty();
        assertThat(assembler.append(new byte[]{'a'}, true)).isEqualTo("\uFFFDa");
        assertThat(assembler.append(new byte[]{(byte) 0x96}, true)).isEqualTo("\uFFFD");
        assertThat(assembler.append(new byte[]{(byte) 0xf0}, true)).isEmpty();
        assertThat(assembler.finish()).isEqualTo("\uFFFD");
    }
}
