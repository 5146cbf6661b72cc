package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The closed forms against loops that count empty slots one by one. */
class PageArithmeticTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void residenceWasteEqualsCountingEverySlotOfEveryStep(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 300; i++) {
            int block = 1 + random.nextInt(130);
            int prompt = random.nextInt(700);
            int output = random.nextInt(400);
            long waste = 0;
            for (int n = prompt; n < prompt + output; n++) {
                long allocated = 0;
                while (allocated < n) {
                    allocated += block;
                }
                waste += allocated - n;
            }
            assertThat(PageArithmetic.residenceWaste(prompt, output, block))
                    .as("prompt %d output %d block %d", prompt, output, block).isEqualTo(waste);
        }
    }

    @ParameterizedTest(name = "block {0}")
    @ValueSource(ints = {2, 8, 16, 32, 64, 128, 6})
    void halvingSavesNothingOrHalfAPage(int block) {
        long total = 0;
        for (int n = 0; n < 10 * block; n++) {
            long saved = PageArithmetic.halvingSaves(n, block);
            assertThat(saved).isIn(0L, block / 2L);
            assertThat(saved > 0).isEqualTo(Math.floorMod(-n, block) >= block / 2);
            total += saved;
        }
        // Over uniform residues a quarter of a page is saved.
        assertThat(total / (10.0 * block)).isEqualTo(block / 4.0);
    }

    /** forecasting.md section 2: lengths 20 to 136 uniform, waste at completion in percent of the allocated KV. */
    @ParameterizedTest(name = "block {0}: {1} %")
    @CsvSource({"16, 8.9", "32, 16.4", "64, 27.6", "128, 43.0"})
    void completionWasteOfUniformLengthsMatchesTheTable(int block, double percent) {
        long waste = 0;
        long allocated = 0;
        for (int n = 20; n <= 136; n++) {
            waste += PageArithmetic.tailWaste(n, block);
            allocated += PageArithmetic.pages(n, block) * block;
        }
        assertThat(100.0 * waste / allocated).isBetween(percent - 0.05, percent + 0.05);
    }

    /** forecasting.md section 2: 256 sequences of up to 128k tokens in pages of 16 need 8 MiB of tables. */
    @Test
    void pageTableOf256LongSequencesTakes8MiB() {
        assertThat(PageArithmetic.pageTableBytes(256, 131_072, 16)).isEqualTo(8L << 20);
    }

    @Test
    void badSizesAreNamed() {
        assertThatThrownBy(() -> PageArithmetic.pages(1, 0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("block_size is 0");
        assertThatThrownBy(() -> PageArithmetic.tailWaste(-1, 16)).hasMessageContaining("tokens is -1");
        assertThatThrownBy(() -> PageArithmetic.halvingSaves(1, 15)).hasMessageContaining("even");
    }
}
