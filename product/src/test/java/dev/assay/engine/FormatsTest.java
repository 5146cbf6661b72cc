package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.model.WeightFormat;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Quantization against ggml's definition computed in decimal arithmetic, and the packed layout against the rows. */
@Tag("kernels")
class FormatsTest {
    private final SplittableRandom random = new SplittableRandom(3);

    @Test
    void blocksAreQuantizedByTheDefinition() {
        for (int block = 0; block < 200; block++) {
            float[] x = new float[32];
            float max = 0;
            for (int i = 0; i < 32; i++) {
                x[i] = (float) random.nextGaussian() / 16;
                max = Math.max(max, Math.abs(x[i]));
            }
            byte[] q = new byte[32];
            float scale = Float.float16ToFloat(Formats.quantizeQ8(x, 0, q, 0));
            assertThat((double) scale).isCloseTo(max / 127.0, within(max / 127.0 / 2048));
            float inverse = 1 / (max / 127f);
            for (int i = 0; i < 32; i++) {
                int expected = new BigDecimal(x[i] * inverse).setScale(0, RoundingMode.HALF_UP)
                        .intValueExact();
                assertThat((int) q[i]).isEqualTo(expected);
                assertThat((double) q[i] * scale).isCloseTo(x[i], within(max / 127.0 * 0.57));
            }
        }
    }

    @Test
    void aBlockOfZerosStaysZero() {
        byte[] q = new byte[32];
        assertThat(Formats.quantizeQ8(new float[32], 0, q, 0)).isZero();
        assertThat(q).containsOnly(0);
    }

    @Test
    void bfloat16RoundsToNearestEven() {
        assertThat(Formats.fromBf16(Formats.toBf16(1 + 1f / 256))).isEqualTo(1f);
        assertThat(Formats.fromBf16(Formats.toBf16(1 + 3f / 256))).isEqualTo(1 + 4f / 256);
        assertThat(Formats.fromBf16(Formats.toBf16(-1.5f))).isEqualTo(-1.5f);
        assertThat(Formats.fromBf16(Formats.toBf16(Float.NaN))).isNaN();
        assertThat(Formats.fromBf16(Formats.toBf16(Float.NEGATIVE_INFINITY)))
                .isEqualTo(Float.NEGATIVE_INFINITY);
    }

    @Test
    void productsOfEveryFormatMatchTheWidenedRows() {
        int rows = 50;
        int inputs = 256;
        for (WeightFormat format : WeightFormat.values()) {
            Panels panels = new Panels("test", format, rows, inputs);
            for (int r = 0; r < rows; r++) {
                panels.set(r, gaussian(inputs), new byte[inputs]);
            }
            float[] x = gaussian(9 * inputs);
            float[] y = new float[9 * panels.outputs()];
            panels.multiply(new VectorKernels(), x, inputs, 9, y, panels.outputs(), 0, panels.pairs(),
                    new float[panels.scratch()]);
            float[] w = new float[inputs];
            for (int o = 0; o < rows; o++) {
                panels.get(o, w, 0);
                for (int r = 0; r < 9; r++) {
                    float sum = 0;
                    for (int k = 0; k < inputs; k++) {
                        sum = Math.fma(w[k], x[r * inputs + k], sum);
                    }
                    assertThat(y[r * panels.outputs() + o]).as("%s output %s row %s", format, o, r)
                            .isEqualTo(sum);
                }
            }
        }
    }

    private float[] gaussian(int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    @Test
    void inputsThatAreNoWholeBlocksCannotBeQuantized() {
        assertThatThrownBy(() -> new Panels("ffn_down", WeightFormat.Q8_0, 32, 40))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("ffn_down")
                .hasMessageContaining("multiple of 32");
    }
}
