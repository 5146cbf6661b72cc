package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.forecast.Hardware.Precision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hardware table against datasheets and against itself. */
class HardwareTableTest {
    /** Datasheets: GB, TB/s, dense BF16 and FP8 TFLOP/s (-1 where there is none), link GB/s one way, W. */
    @ParameterizedTest
    @CsvSource({"A100-SXM, 80, 2.039, 312, -1, 300, 400", "h100_sxm, 80, 3.35, 989, 1979, 450, 700",
            "h200, 141, 4.8, 989, 1979, 450, 700", "B200 SXM, 180, 7.7, 2250, 4500, 900, 1000",
            "MI300X, 192, 5.3, 1307, 2615, 448, 750", "l4, 24, 0.3, 121, 242, 32, 72",
            "L40S, 48, 0.864, 362, 733, 32, 350", "rtx 4090, 24, 1.008, 165, 330, 32, 450"})
    void rowsAreAsTheMakersStateThem(String name, double gb, double tbs, double bf16, double fp8, double link,
            int watts) {
        Hardware h = HardwareTable.named(name);
        assertThat(h.memoryGb()).isEqualTo(gb);
        assertThat(h.bandwidth()).isCloseTo(tbs * 1e12, within(1.0));
        assertThat(h.peak(Precision.BF16).orElseThrow()).isCloseTo(bf16 * 1e12, within(1e3));
        assertThat(h.peak(Precision.FP8).orElse(-1e12)).isCloseTo(fp8 * 1e12, within(1e3));
        assertThat(h.linkBandwidth()).isEqualTo(link * 1e9);
        assertThat(h.watts()).isEqualTo(watts);
    }

    /** The ridge of section 2 of the forecasting reference: A100 153, H100 295 operations a byte in 16 bits. */
    @Test
    void ridges() {
        assertThat(ridge("a100_sxm")).isCloseTo(153, within(0.5));
        assertThat(ridge("h100_sxm")).isCloseTo(295, within(0.5));
    }

    private static double ridge(String name) {
        Hardware h = HardwareTable.named(name);
        return h.peak(Precision.BF16).orElseThrow() / h.bandwidth();
    }

    @Test
    void everyRowSaysWhereItIsFrom() {
        assertThat(HardwareTable.rows()).hasSizeGreaterThan(8)
                .allSatisfy(h -> assertThat(h.source().length()).isGreaterThan(10))
                .allSatisfy(h -> assertThat(h.date()).matches("20\\d\\d-\\d\\d"));
        assertThat(HardwareTable.named("b200").note().orElseThrow()).contains("7.7", "8.0");
    }

    /** Usable bytes differ from the maker's figure by at most the 8 % between 10^9 and 2^30. */
    @Test
    void usableMemoryIsNearTheMakersFigure() {
        assertThat(HardwareTable.rows()).allSatisfy(
                h -> assertThat(h.memoryBytes() / (h.memoryGb() * 1e9)).isBetween(1.0, 1.0738));
    }

    /** Halving the bits doubles the peak, to the digits that makers print. */
    @Test
    void peaksDoubleWhereBitsHalve() {
        for (Hardware h : HardwareTable.rows()) {
            for (Precision[] step : new Precision[][]{{Precision.BF16, Precision.FP8},
                    {Precision.FP8, Precision.FP4}}) {
                if (h.peak(step[1]).isPresent()) {
                    assertThat(h.peak(step[1]).getAsDouble() / h.peak(step[0]).orElseThrow()).as(h.name())
                            .isCloseTo(2, within(0.03));
                }
            }
        }
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        assertThatThrownBy(() -> HardwareTable.named("a10g")).isInstanceOf(AssayException.class)
                .hasMessageContaining("a10g").hasMessageContaining("h100_sxm")
                .hasMessageContaining("rtx_4090")
                .hasMessageNotContaining("\n");
    }
}
