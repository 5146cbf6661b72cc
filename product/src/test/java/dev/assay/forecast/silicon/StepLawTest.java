package dev.assay.forecast.silicon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The law's terms against numbers computed apart. */
class StepLawTest {
    private static final Deployment CHAT = Synthetic.deployment("llama-3.1-8b", "h100_sxm", "vllm",
            Format.BF16, 1000, 100, 10, 1);

    /**
     * Python, from section 2 of the forecasting reference: W = 32*P*2 + V*h*2 over 0.85*3.35e12, plus 10*2*(32*P + V*h) over
     * 0.6*989e12 (m = 1); 10*1050*131072 over 0.7*3.35e12; 0.1 prompts of 1000 tokens a step; 30 us a block and a row.
     */
    @Test
    void termsAtTypicalConstantsWithoutOverlap() {
        double[] logs = Constant.typicalLogs();
        logs[Constant.OVERLAP.place()] = 0;
        StepTerms t = StepLaw.terms(CHAT, logs);
        assertThat(t.running()).isCloseTo(10, within(1e-6));
        assertThat(t.weights()).isCloseTo(5.523988e-3, within(1e-8));
        assertThat(t.kv()).isCloseTo(5.868896e-4, within(1e-9));
        assertThat(t.prompts()).isCloseTo(2.447610e-3, within(1e-8));
        assertThat(t.blocks()).isCloseTo(9.6e-4, within(1e-12));
        assertThat(t.rows()).isCloseTo(3e-4, within(1e-9));
        assertThat(t.collectives()).isZero();
        assertThat(t.total()).isCloseTo(9.818488e-3, within(1e-8));
    }

    @Test
    void overlapGoesFromSumToLarger() {
        double[] logs = Constant.typicalLogs();
        logs[Constant.OVERLAP.place()] = 0;
        double sum = StepLaw.terms(CHAT, logs).weights();
        logs[Constant.OVERLAP.place()] = Math.log(200);
        assertThat(StepLaw.terms(CHAT, logs).weights()).isLessThan(sum).isCloseTo(
                CHAT.weightBytes() / (0.85 * 3.35e12), within(1e-6));
    }

    /** 70B over 8 accelerators: 2.62 MB payload and 4.59 MB on the wire a token (section 2 of the reference). */
    @Test
    void wireBytes() {
        Deployment d = Synthetic.deployment("llama-3.1-70b", "h100_sxm", "vllm", Format.FP8, 1024, 1024, 1,
                8);
        assertThat(d.wireBytesPerToken()).isCloseTo(4.59e6, within(0.005e6));
    }

    /** KV bytes stop falling where accelerators outnumber KV heads. */
    @ParameterizedTest
    @CsvSource({"1, 327680", "2, 163840", "8, 40960", "16, 40960"})
    void kvBytesAPart(int parallel, double bytes) {
        assertThat(Synthetic.deployment("llama-3.1-70b", "b200_sxm", "vllm", Format.FP8, 8, 8, 1, parallel)
                .kvBytesPerToken(2)).isEqualTo(bytes);
    }

    /** A batch beyond the KV capacity runs no more than fits: TPOT stays, as measured rows do. */
    @Test
    void capacityBounds() {
        double[] logs = Constant.typicalLogs();
        double[] tpot = new double[2];
        for (int i = 0; i < 2; i++) {
            tpot[i] = StepLaw.seconds(Synthetic.deployment("llama-3.1-70b", "h200_sxm", "trtllm", Format.FP8,
                    1024, 8192, 1000 << (10 * i), 1), logs);
        }
        assertThat(tpot[1] / tpot[0]).isCloseTo(1, within(1e-6));
    }

    @Test
    void contradictionsAreNamed() {
        assertThatThrownBy(
                () -> Synthetic.deployment("llama-3.1-8b", "h100_sxm", "vllm", Format.BF16, 8, 8, 1,
                        3))
                .hasMessageContaining("tp_size 3").hasMessageContaining("32 attention heads");
        assertThatThrownBy(() -> Synthetic.deployment("llama-3.1-70b", "h100_sxm", "vllm", Format.BF16, 8, 8,
                1, 1)).hasMessageContaining("141.1 GB").hasMessageContaining("85 GB of h100_sxm");
        assertThatThrownBy(
                () -> Synthetic.deployment("llama-3.1-8b", "h100_sxm", "vllm", Format.BF16, 8, 1, 1,
                        1))
                .hasMessageContaining("osl is 1; expected at least 2");
    }
}
