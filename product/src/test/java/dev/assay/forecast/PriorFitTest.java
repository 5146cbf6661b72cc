package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where the law is linear the posterior is known in closed form (Gauss, conjugate normal). */
class PriorFitTest {
    private static final PriorFit.Law SUM = p -> new double[]{p[0] + p[1]};

    /** One observation 1 with sd 0.5 of a sum of two parameters with sd 1 and 2: gain 5 / (5 + 0.25). */
    @Test
    void theMiddleIsThePosteriorMean() {
        PriorFit fit = new PriorFit(new double[]{1}, new double[]{0.5}, new double[]{1, 2});
        double[] p = fit.middle(SUM, new double[2]).parameters();
        assertThat(p[0]).isCloseTo(1 / 5.25, within(1e-5));
        assertThat(p[1]).isCloseTo(4 / 5.25, within(1e-5));
        double[] variance = fit.variance(SUM, p);
        assertThat(variance[0]).isCloseTo(1 - 1 / 5.25, within(1e-5));
        assertThat(variance[1]).isCloseTo(4 - 16 / 5.25, within(1e-5));
        assertThat(fit.learned(SUM, p)).isCloseTo(1 / 5.25 + 4 / 5.25, within(1e-5));
    }

    @Test
    void drawsScatterAsThePosteriorDoes() {
        PriorFit fit = new PriorFit(new double[]{1}, new double[]{0.5}, new double[]{1, 2});
        double[] middle = fit.middle(SUM, new double[2]).parameters();
        SplittableRandom random = new SplittableRandom(4);
        int n = 4000;
        double sum = 0;
        double own = 0;
        double mean = 0;
        for (int i = 0; i < n; i++) {
            double[] p = fit.draw(SUM, new double[]{random.nextGaussian(), 2 * random.nextGaussian()}, middle,
                    random).parameters();
            mean += p[1] / n;
            own += (p[1] - 4 / 5.25) * (p[1] - 4 / 5.25) / n;
            sum += (p[0] + p[1] - 5 / 5.25) * (p[0] + p[1] - 5 / 5.25) / n;
        }
        assertThat(mean).isCloseTo(4 / 5.25, within(0.06));
        assertThat(own).isCloseTo(4 - 16 / 5.25, within(0.07));
        assertThat(sum).isCloseTo(5 * 0.25 / 5.25, within(0.02));
    }

    /** Observations that contradict each other by ten deviations widen what they say. */
    @Test
    void scatterBeyondTheDeviationsWidens() {
        PriorFit fit = new PriorFit(new double[]{0, 1, 0, 1}, new double[]{0.05, 0.05, 0.05, 0.05},
                new double[]{3});
        double[] p = fit.middle(q -> new double[]{q[0], q[0], q[0], q[0]}, new double[1]).parameters();
        assertThat(p[0]).isCloseTo(0.5, within(0.01));
        assertThat(fit.scale()).isCloseTo(Math.sqrt(4 * 100 / 3.0), within(0.1));
    }

    /** Sums of exponentials, as a step's time is of its parts. */
    @Test
    void aLawThatIsNotLinearIsSolved() {
        PriorFit.Law law = q -> new double[]{Math.log(Math.exp(q[0]) + Math.exp(q[1])),
                Math.log(Math.exp(q[0]) + 10 * Math.exp(q[1]))};
        double[] truth = {1.5, -2};
        PriorFit fit = new PriorFit(law.logs(truth), new double[]{1e-3, 1e-3}, new double[]{5, 5});
        double[] p = fit.middle(law, new double[2]).parameters();
        assertThat(p[0]).isCloseTo(1.5, within(0.01));
        assertThat(p[1]).isCloseTo(-2, within(0.05));
    }
}
