package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.model.Gguf;
import dev.assay.model.WeightFormat;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The bits of a sequence's logits do not depend on page size, page order, chunks, neighbours or threads: each case is
 * held against the same 80 tokens fed one by one, alone, in pages of 16.
 */
@Tag("kernels")
class InvarianceTest {
    private static final int TOKENS = 80;
    /** Three pages of 16, one of them not full: enough where only the kernels differ. */
    private static final int FEW = 40;
    private static final int[] IDS = Arrays.copyOf(Shipped.block().idArray(), TOKENS);
    private static float[][] expected = new float[0][];

    @BeforeAll
    static void oneByOne() {
        try (Decoder decoder = Shipped.decoder(WeightFormat.F32, 16, 8, 1)) {
            expected = run(decoder, TOKENS, 1, 0, 3);
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 80, 0, 1", "16, 33, 2, 1", "32, 17, 7, 1", "48, 27, 3, 2", "128, 64, 1, 1",
            "64, 5, 5, 1",
            "32, 6, 31, 1"})
    void logitsAreBitIdentical(int pageSize, int chunk, int neighbours, int threads) {
        try (Decoder decoder = Shipped.decoder(WeightFormat.F32, pageSize, 48 * 8, threads)) {
            assertSame(run(decoder, TOKENS, chunk, neighbours, 5), expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"F32", "BF16", "F16", "Q8_0"})
    void scalarKernelsGiveTheSameBits(WeightFormat format) {
        DecoderConfig config = new DecoderConfig(format, 16, 48 * 8, 1);
        try (Gguf gguf = Gguf.open(Shipped.MODEL);
                Decoder vector = new PagedDecoder(gguf, config, new VectorKernels());
                Decoder scalar = new PagedDecoder(gguf, config, new ScalarKernels())) {
            float[][] control = run(scalar, FEW, 40, 0, 1);
            assertSame(run(vector, FEW, 27, 1, 2), control);
            if (format == WeightFormat.F32 || format == WeightFormat.BF16) {
                assertSame(control, Arrays.copyOf(expected, FEW));
            }
        }
    }

    private static void assertSame(float[][] actual, float[][] control) {
        assertThat(actual.length).isEqualTo(control.length);
        for (int i = 0; i < actual.length; i++) {
            assertThat(Arrays.mismatch(actual[i], control[i])).as("first logit that differs at token %s", i)
                    .isEqualTo(-1);
        }
    }

    /** Logits of the first tokens, fed in chunks beside neighbours with other tokens, before and after in the batch. */
    private static float[][] run(Decoder decoder, int tokens, int chunk, int neighbours, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int pagesEach = Math.ceilDiv(tokens, decoder.config().pageSize());
        StepBatch batch = new StepBatch(chunk + neighbours, neighbours + 1);
        float[][] logits = new float[tokens][];
        int mine = neighbours / 2;
        int first = 0;
        for (int step = 0; first < tokens; step++) {
            batch.clear();
            int[] rows = new int[chunk];
            int count = Math.min(chunk, tokens - first);
            for (int s = 0; s <= neighbours; s++) {
                batch.addSequence(Shipped.pages(neighbours - s, neighbours + 1, pagesEach));
                for (int i = 0; s == mine && i < count; i++) {
                    rows[i] = batch.addRow(IDS[first + i], first + i, true);
                }
                if (s != mine) {
                    batch.addRow(random.nextInt(4000), step, random.nextBoolean());
                }
            }
            decoder.step(batch);
            for (int i = 0; i < count; i++) {
                int at = decoder.logitsOffset(rows[i]);
                logits[first + i] = Arrays.copyOfRange(decoder.logits(), at, at + decoder.shape().vocab());
            }
            first += count;
        }
        return logits;
    }
}
