package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.json.Json;
import dev.assay.model.WeightFormat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against float64 recomputations by independent programs: make_model.py (PyTorch) and loss_reference.py (NumPy). */
@Tag("kernels")
class OracleTest {
    private static final int STEPS = 64;

    /** All four prompts in one batch; bf16 holds the file's weights exactly, so that it must agree as well. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "BF16"})
    void greedyTokensEqualTheOracle(WeightFormat format) {
        List<Shipped.Continuation> expected = Shipped.oracle().continuations();
        try (Decoder decoder = Shipped.decoder(format, 16, 40, 1)) {
            List<List<Integer>> produced = greedy(decoder,
                    expected.stream().map(c -> Shipped.ints(c.promptIds())).toList());
            for (int i = 0; i < expected.size(); i++) {
                assertThat(produced.get(i)).as(expected.get(i).prompt())
                        .isEqualTo(expected.get(i).greedyIds());
            }
        }
    }

    private static List<List<Integer>> greedy(Decoder decoder, List<int[]> prompts) {
        StepBatch batch = new StepBatch(64, prompts.size());
        List<List<Integer>> produced = new ArrayList<>();
        prompts.forEach(p -> produced.add(new ArrayList<>()));
        for (int step = 0; step < STEPS; step++) {
            batch.clear();
            int[] rows = new int[prompts.size()];
            for (int s = 0; s < prompts.size(); s++) {
                batch.addSequence(Shipped.pages(s, prompts.size(), 10));
                int[] prompt = prompts.get(s);
                for (int p = 0; step == 0 && p < prompt.length; p++) {
                    rows[s] = batch.addRow(prompt[p], p, p == prompt.length - 1);
                }
                if (step > 0) {
                    rows[s] = batch.addRow(produced.get(s).getLast(), prompt.length + step - 1, true);
                }
            }
            decoder.step(batch);
            for (int s = 0; s < prompts.size(); s++) {
                produced.get(s).add(decoder.greedy(rows[s]));
            }
        }
        return produced;
    }

    /** Two of the eight contexts of the first held-out block; the whole file's figure is 3.6205 nats per token. */
    @Test
    void heldOutLossEqualsTheReference() {
        int[] ids = Shipped.block().idArray();
        List<Double> expected = Json.read(Shipped.resource("loss.json"), Losses.Reference.class, "loss.json")
                .natsPerToken();
        try (Decoder decoder = Shipped.decoder(WeightFormat.F32, 32, 8, 1)) {
            for (int context = 0; context < 2; context++) {
                double loss = Losses.mean(decoder, ids, context * 256, 256);
                assertThat(loss).isCloseTo(expected.get(context), within(2e-5));
            }
        }
    }
}
