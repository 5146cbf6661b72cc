package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Expectation.Band;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictsTest {
    /** The worked oracle of the statistics reference: ratio 1.05991 [1.05343, 1.06642], sign-flip 2/64. */
    private static final double[][] ORACLE = {{41.2, 43.9, 44.3, 41.8}, {40.7, 43.1, 43.6, 41.0},
            {42.0, 44.2, 44.9, 42.1}, {41.5, 43.4, 43.2, 41.1}, {40.9, 43.8, 44.0, 41.4},
            {41.7, 44.1, 44.6, 41.9}};

    private static Verdicts verdicts(double[][] blocks) {
        return new Verdicts(Fixtures.proposal(), new Samples(Fixtures.blocks(blocks)), Optional.empty(),
                (_, _) -> Optional.empty(), Optional.empty(), Paths.UNKNOWN);
    }

    private static double rate() {
        return Fixtures.proposal().loadPoints().getFirst();
    }

    private static Verdict decide(double[][] blocks, Expectation expectation) {
        ClaimResult result = verdicts(blocks)
                .decide(new Claim("c", Level.END_TO_END, "", expectation, "", List.of(), true));
        return result.verdict();
    }

    private static Expectation within(double low, double high) {
        return new Expectation.Within("goodput_rps",
                List.of(new Band(rate(), low, (low + high) / 2, high, 0)));
    }

    @Test
    void theOracleReproducesFromSlots() {
        Analysis.RatioResult ratio = verdicts(ORACLE).comparison(Metric.GOODPUT_RPS).result(0).ratio()
                .orElseThrow();
        assertThat(ratio.ratio()).isCloseTo(1.05991, within5());
        assertThat(ratio.low().orElseThrow()).isCloseTo(1.05343, within5());
        assertThat(ratio.high().orElseThrow()).isCloseTo(1.06642, within5());
        assertThat(ratio.signFlipP()).isEqualTo(2 / 64.0);
    }

    private static org.assertj.core.data.Offset<Double> within5() {
        return org.assertj.core.data.Offset.offset(5e-6);
    }

    @ParameterizedTest
    @CsvSource({"1.02, 1.08, Survived", "1.10, 1.20, Refuted", "0.80, 0.95, Refuted", "0.99, 1.20, Survived",
            "1.0599, 1.0600, Survived", "0.98, 1.02, Refuted", "0.99, 1.06, Inconclusive"})
    void aForecastIntervalIsHeldAgainstTheJointInterval(double low, double high, String word) {
        assertThat(decide(ORACLE, within(low, high)).word()).isEqualTo(word);
    }

    @Test
    void fewerThanSixBlocksDecideNothing() {
        double[][] five = java.util.Arrays.copyOf(ORACLE, 5);
        Verdict verdict = decide(five, within(1.02, 1.08));
        assertThat(verdict).isInstanceOf(Verdict.Inconclusive.class);
        assertThat(verdict.why()).contains("untestable at 5 blocks").contains("0.0625").contains("6 needed");
    }

    @Test
    void aBrokenPremiseVoids() {
        Verdicts v = new Verdicts(Fixtures.proposal(), new Samples(Fixtures.blocks(ORACLE)), Optional.empty(),
                (_, _) -> Optional.empty(),
                Optional.of("premise kv-pool: 3 in slot b0-s0-baseline-p0, bound 0"), Paths.UNKNOWN);
        ClaimResult result = v
                .decide(new Claim("c", Level.END_TO_END, "", within(1.02, 1.08), "", List.of(), true));
        assertThat(result.verdict()).isInstanceOf(Verdict.Void.class);
    }

    @ParameterizedTest
    @CsvSource({"1.05, Survived", "1.06, Inconclusive", "1.10, Refuted"})
    void anObjectiveNeedsItsEffect(double minEffect, String word) {
        assertThat(decide(ORACLE, new Expectation.AtLeast("goodput_rps", minEffect, List.of(rate()))).word())
                .isEqualTo(word);
    }

    /** TPOT is the inverse of goodput in the fixture: its ratio is 1/1.0599, better by 5.65 %. */
    @ParameterizedTest
    @CsvSource({"tpot_p50_ms, 0.01, Survived", "goodput_rps, 0.01, Survived"})
    void animprovementIsNoRegression(String metric, double margin, String word) {
        assertThat(decide(ORACLE, new Expectation.NotWorse(metric, margin, List.of(rate()))).word())
                .isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({"0.10, Survived", "0.06, Inconclusive", "0.02, Refuted"})
    void aRegressionIsHeldAgainstItsMargin(double margin, String word) {
        double[][] swapped = new double[ORACLE.length][];
        for (int i = 0; i < ORACLE.length; i++) {
            swapped[i] = new double[]{ORACLE[i][1], ORACLE[i][0], ORACLE[i][3], ORACLE[i][2]};
        }
        assertThat(decide(swapped, new Expectation.NotWorse("goodput_rps", margin, List.of(rate()))).word())
                .isEqualTo(word);
    }

    @Test
    void aBaselineAtZeroIsDecidedByTheDifference() {
        double[][] zeros = new double[6][];
        for (int i = 0; i < 6; i++) {
            zeros[i] = new double[]{0, 5 + i * 0.1, 5, 0};
        }
        List<SlotResult> slots = new java.util.ArrayList<>();
        Arm[] arms = {Arm.BASELINE, Arm.CANDIDATE, Arm.CANDIDATE, Arm.BASELINE};
        for (int b = 0; b < 6; b++) {
            for (int s = 0; s < 4; s++) {
                slots.add(Fixtures.slot(b, s, arms[s], 0, zeros[b][s]));
            }
        }
        Verdicts v = new Verdicts(Fixtures.proposal(), new Samples(slots), Optional.empty(),
                (_, _) -> Optional.empty(), Optional.empty(), Paths.UNKNOWN);
        Expectation objective = new Expectation.AtLeast("goodput_rps", 1.05, List.of(rate()));
        ClaimResult result = v.decide(new Claim("c", Level.END_TO_END, "", objective, "", List.of(), true));
        assertThat(result.verdict()).isInstanceOf(Verdict.Survived.class);
        assertThat(result.findings().getFirst().observed()).contains("zero");
    }
}
