package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SciPy: scipy_oracles.py. */
class ProportionTest {
    @ParameterizedTest
    @CsvSource({"0,10,0,0.30849710781876294,0,0.27753279986288926",
            "3,10,0.06673951117773447,0.652452850060008,0.10779126740630102,0.6032218525388546",
            "18,20,0.6830172859809209,0.9876514728297041,0.6989663547715128,0.9721335187862319",
            "10,10,0.6915028921812371,1,0.7224672001371109,1"})
    void intervals(int hits, int trials, double exactLow, double exactHigh, double wilsonLow,
            double wilsonHigh) {
        Interval exact = Proportion.clopperPearson(hits, trials, .95);
        Interval wilson = Proportion.wilson(hits, trials, .95);
        assertThat(exact.low()).isCloseTo(exactLow, within(1e-10));
        assertThat(exact.high()).isCloseTo(exactHigh, within(1e-10));
        assertThat(wilson.low()).isCloseTo(wilsonLow, within(1e-10));
        assertThat(wilson.high()).isCloseTo(wilsonHigh, within(1e-10));
    }

    @ParameterizedTest
    @CsvSource({"6,10,.9", "15,20,.9", "3,12,.4", "7,7,.5", "0,9,.2", "5,10,.5"})
    void testsAgreeWithCommons(int hits, int trials, double share) {
        BinomialTest commons = BinomialTest.withDefaults();
        assertThat(Proportion.test(hits, trials, share))
                .isCloseTo(commons.test(trials, hits, share).getPValue(), within(1e-12));
        assertThat(Proportion.testLess(hits, trials, share)).isCloseTo(
                commons.with(AlternativeHypothesis.LESS_THAN).test(trials, hits, share).getPValue(),
                within(1e-12));
        assertThat(Proportion.testGreater(hits, trials, share)).isCloseTo(
                commons.with(AlternativeHypothesis.GREATER_THAN).test(trials, hits, share).getPValue(),
                within(1e-12));
    }

    /** The calibration limits of the statistics reference, section 2.5: the most hits that show overconfidence at 90 %. */
    @ParameterizedTest
    @CsvSource({"10,6", "20,15", "40,32"})
    void overconfidence(int trials, int hits) {
        assertThat(Proportion.testLess(hits, trials, .9)).isLessThan(.05);
        assertThat(Proportion.testLess(hits + 1, trials, .9)).isGreaterThan(.05);
    }

    @Test
    void badCounts() {
        assertThatThrownBy(() -> Proportion.test(3, 2, .5)).hasMessage("hits 3: expected 0 to 2");
        assertThatThrownBy(() -> Proportion.wilson(0, 0, .95)).hasMessage("trials 0: expected at least 1");
    }
}
