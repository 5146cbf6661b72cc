package dev.assay.forecast.silicon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The fit and its intervals on rows of a known law. */
class CalibratedTest {
    @Test
    void recoversTheLawFromExactRows() {
        Fit fit = Fitter.fit(Synthetic.rows(0, 6, new SplittableRandom(1)));
        for (Deployment d : List.of(
                Synthetic.deployment("llama-3.1-8b", "h100_sxm", "vllm", Format.BF16, 3000, 300, 100, 1),
                Synthetic.deployment("qwen3-32b", "h100_sxm", "trtllm", Format.FP8, 700, 900, 24, 4))) {
            assertThat(fit.seconds(d) / StepLaw.seconds(d, Synthetic.truth())).isCloseTo(1, within(0.01));
            for (Constant c : List.of(Constant.WEIGHT_STREAM, Constant.KV_STREAM, Constant.COMPUTE)) {
                double truth = Math.exp(Synthetic.truth()[c.place()]);
                assertThat(Math.abs(Math.log(fit.constant(d, c) / truth))).as(c.id())
                        .isLessThan(Math.max(0.05, 3 * fit.constantSd(d, c)));
            }
        }
        assertThat(fit.scale()).isEqualTo(0.01);
    }

    /** Fresh rows of the same law: coverage within four binomial standard deviations of nine tenths. */
    @Test
    void intervalsCoverFreshRows() {
        SplittableRandom random = new SplittableRandom(2);
        Calibrated model = Calibrated.of(Synthetic.rows(0.08, 5, random), 0.9, random);
        List<MeasuredRow> fresh = Synthetic.rows(0.08, 8, random);
        long covered = fresh.stream().filter(r -> Math.abs(Math.log(r.tpotSeconds()
                / model.seconds(r.deployment()))) <= model.halfWidth(r.deployment()).orElseThrow()).count();
        assertThat(covered / (double) fresh.size()).isCloseTo(0.9,
                within(4 * Math.sqrt(0.9 * 0.1 / fresh.size())));
        // The error has a standard deviation of 0.08, of which 1.645 are nine tenths on both sides.
        assertThat(model.halfWidth(fresh.getFirst().deployment()).orElseThrow()).isBetween(0.11, 0.19);
    }

    @Test
    void anUnseenGroupAndAnUnseenEngineAreWider() {
        SplittableRandom random = new SplittableRandom(3);
        Calibrated model = Calibrated.of(Synthetic.rows(0.05, 4, random), 0.9, random);
        double[] widths = new double[3];
        String[][] cases = {{"h100_sxm", "trtllm"}, {"h200_sxm", "trtllm"}, {"h200_sxm", "sglang"}};
        for (int i = 0; i < cases.length; i++) {
            widths[i] = model
                    .halfWidth(Synthetic.deployment("qwen3-32b", cases[i][0], cases[i][1], Format.FP8,
                            1024, 512, 32, 2))
                    .orElseThrow();
        }
        assertThat(widths[1]).isGreaterThan(1.2 * widths[0]);
        assertThat(widths[2]).isGreaterThan(1.2 * widths[1]);
    }

    @Test
    void oneFamilyIsTooFewAndTooFewRowsGiveNoInterval() {
        List<MeasuredRow> rows = Synthetic.rows(0.05, 2, new SplittableRandom(4));
        assertThatThrownBy(() -> Calibrated.of(rows.subList(0, 5), 0.9, new SplittableRandom(1)))
                .hasMessageContaining("1 families");
        List<MeasuredRow> few = List.of(rows.getFirst(), rows.get(20), rows.get(21));
        assertThat(Calibrated.of(few, 0.9, new SplittableRandom(1)).halfWidth(few.getFirst().deployment()))
                .isEmpty();
    }
}
