package dev.assay.forecast.silicon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a row must satisfy before it is judged. */
class PremisesTest {
    private static MeasuredRow row(int line, int input, int output, int batch, double ttftMs, double tpotMs) {
        return new MeasuredRow(line, "", "m", Synthetic.deployment("llama-3.1-8b", "h200_sxm", "vllm",
                Format.FP8, input, output, batch, 1), ttftMs / 1e3, tpotMs / 1e3);
    }

    @Test
    void rowsOfTheLawPass() {
        Premises.Checked checked = Premises.check(Synthetic.rows(0.1, 4, new SplittableRandom(1)));
        assertThat(checked.refusals()).isEmpty();
        assertThat(checked.kept()).hasSize(320);
    }

    /**
     * By hand: 7.50e9 weights in 8 bits and 64 prompts of 1000 tokens at 65,536 B, of which the 1 % that waits is not live, over
     * 4.8e12 x 1.04 B/s: (7.5047e9 + 63.36 x 65.536e6) / 4.992e12 = 2.335 ms.
     */
    @Test
    void leastTimeOfAStep() {
        MeasuredRow row = row(2, 1000, 100, 64, 10, 10);
        assertThat(Premises.leastSeconds(row)).isCloseTo(2.335e-3, within(2e-6));
    }

    @Test
    void aRowFasterThanItsBytesIsAMeasurementFault() {
        Premises.Checked checked = Premises.check(
                List.of(row(2, 1000, 1000, 64, 10, 2.2), row(3, 1000, 1000, 64, 10, 8)));
        assertThat(checked.faults()).singleElement().asString().contains("line 2", "TPOT 2.200 ms",
                "peak bandwidth");
        assertThat(checked.refusals()).singleElement().satisfies(r -> {
            assertThat(r.reason()).startsWith("measurement fault");
            assertThat(r.rows()).isEqualTo(1);
        });
        assertThat(checked.kept()).extracting(MeasuredRow::line).containsExactly(3);
    }

    /** 64 prompts of 8k tokens in 1.5 s: 64 x 8000 x 2 x 7e9 = 7.1e15 operations take 3.6 s at the peak of 1.979e15/s. */
    @Test
    void aBurstIsRefusedWithItsGroup() {
        List<MeasuredRow> rows = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            rows.add(i < 2 ? row(i + 2, 8000, 100, 64, 500, 10) : row(i + 2, 1000, 1000, 16, 50, 6));
        }
        Premises.Checked checked = Premises.check(rows);
        assertThat(checked.kept()).isEmpty();
        assertThat(checked.voided()).hasSize(8);
        assertThat(checked.refusals()).singleElement().satisfies(
                r -> assertThat(r.reason()).contains("not a steady state", "2 of 8 rows"));
    }

    @Test
    void aSingleEarlyRowDoesNotTakeItsGroupAlong() {
        List<MeasuredRow> rows = new ArrayList<>(List.of(row(2, 8000, 100, 64, 500, 10)));
        for (int i = 0; i < 8; i++) {
            rows.add(row(i + 3, 1000, 1000, 16, 50, 6));
        }
        Premises.Checked checked = Premises.check(rows);
        assertThat(checked.kept()).hasSize(8);
        assertThat(checked.voided()).extracting(MeasuredRow::line).containsExactly(2);
    }
}
