package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.model.Gguf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against the ids that the model's own tokenizer (make_model.py) gave. */
class TokenizerTest {
    private final Tokenizer tokenizer = load();

    private static Tokenizer load() {
        try (Gguf gguf = Gguf.open(Shipped.MODEL)) {
            return Tokenizer.of(gguf);
        }
    }

    @Test
    void promptsHaveTheOraclesIds() {
        for (Shipped.Continuation c : Shipped.oracle().continuations()) {
            assertThat(tokenizer.encode(c.prompt())).as(c.prompt())
                    .containsExactly(Shipped.ints(c.promptIds()));
        }
    }

    @Test
    void heldOutTextAndIdsMatchBothWays() {
        Shipped.Block block = Shipped.block();
        int[] ids = block.idArray();
        assertThat(tokenizer.decode(ids)).isEqualTo(block.text());
        // The block was cut from a stream, so that its last word may have been cut too.
        int[] encoded = tokenizer.encode(block.text());
        assertThat(Arrays.copyOf(encoded, 2040)).containsExactly(Arrays.copyOf(ids, 2040));
    }

    @Test
    void anyTextComesBack() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 200; i++) {
            int[] points = random.ints(random.nextInt(40), 0, 0x2000).toArray();
            String text = new String(points, 0, points.length) + "é 你好 👋 don't  \n\n x";
            assertThat(tokenizer.decode(tokenizer.encode(text))).isEqualTo(text);
        }
    }

    @Test
    void aLongWordIsMergedAsShortOnesAre() {
        String word = "abcdefgh".repeat(20_000);
        int[] ids = tokenizer.encode(word);
        assertThat(tokenizer.decode(ids)).isEqualTo(word);
        assertThat(ids.length).isLessThan(word.length());
    }

    @Test
    void controlTokensHaveNoTextAndAreNotEncoded() {
        assertThat(tokenizer.bytes(tokenizer.eos())).isEmpty();
        assertThat(tokenizer.encode("<|eos|>")).doesNotContain(tokenizer.eos());
        assertThat(new String(tokenizer.bytes(259), StandardCharsets.UTF_8)).isEqualTo(" the");
        assertThatThrownBy(() -> tokenizer.bytes(4096)).hasMessageContaining("4096")
                .hasMessageContaining("4095");
    }
}
