package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Choice and log-probabilities on distributions that are known in closed form. */
class SamplerTest {
    /** Log of the probabilities 0.1, 0.2, 0.3, 0.4 plus a constant, after two values of padding. */
    private static final float[] LOGITS = {9, 9, (float) (5 + Math.log(0.1)), (float) (5 + Math.log(0.2)),
            (float) (5 + Math.log(0.3)), (float) (5 + Math.log(0.4))};

    @Test
    void logprobsAreThoseOfTheDistribution() {
        TokenLogprobs found = Sampler.logprobs(LOGITS, 2, 4, 1, 3);
        assertThat(found.logprob()).isCloseTo(Math.log(0.2), within(1e-6));
        assertThat(found.topIds()).containsExactly(3, 2, 1);
        assertThat(found.topLogprobs()[0]).isCloseTo(Math.log(0.4), within(1e-6));
    }

    @Test
    void tiesGoToTheLowestId() {
        float[] equal = {1, 1, 1, 1};
        assertThat(Sampler.choose(equal, 0, 4, 0, new SplittableRandom(1))).isZero();
        assertThat(Sampler.logprobs(equal, 0, 4, 0, 2).topIds()).containsExactly(0, 1);
    }

    @Test
    void drawsFollowTheDistributionAndTheTemperature() {
        int n = 40_000;
        int[] counts = new int[4];
        int[] sharp = new int[4];
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < n; i++) {
            counts[Sampler.choose(LOGITS, 2, 4, 1, random)]++;
            sharp[Sampler.choose(LOGITS, 2, 4, 0.5, random)]++;
        }
        for (int i = 0; i < 4; i++) {
            double p = (i + 1) / 10.0;
            // At temperature 1/2 probabilities are squared and normalised: 1, 4, 9, 16 of 30.
            double squared = (i + 1) * (i + 1) / 30.0;
            assertThat(counts[i]).isCloseTo((int) (n * p), within((int) (5 * Math.sqrt(n * p * (1 - p)))));
            assertThat(sharp[i]).isCloseTo((int) (n * squared),
                    within((int) (5 * Math.sqrt(n * squared * (1 - squared)))));
        }
    }
}
