package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanningTest {
    /** The minimum counts of the statistics reference, section 2.3. */
    @ParameterizedTest
    @CsvSource({"0.5,6", "0.95,72", "0.99,368"})
    void percentileFloor(double p, int values) {
        assertThat(PercentileFloor.values(p, 0.95)).isEqualTo(values);
        assertThat(Math.pow(p, values)).isLessThanOrEqualTo(0.025);
        assertThat(Math.pow(p, values - 1)).isGreaterThan(0.025);
    }

    /** MLPerf inference policies, early stopping table for the 99th percentile at confidence 99 %. */
    @ParameterizedTest
    @CsvSource({"0,459", "1,662", "2,838", "5,1307", "10,2010", "50,6898"})
    void earlyStopping(int over, int queries) {
        assertThat(EarlyStopping.queries(over, 0.99, 0.99)).isEqualTo(queries);
    }

    @ParameterizedTest
    @CsvSource({"0.005,0.01", "0.01,0.01", "0.02,0.003", "0.001,0.05"})
    void blocksNeededIsTheFirstCountThatIsNarrowEnough(double halfWidth, double sd) {
        int k = 6;
        while (TDistribution.of(k - 1).inverseSurvivalProbability(.025) * sd / Math.sqrt(k) > halfWidth) {
            k++;
        }
        assertThat(BlocksNeeded.forHalfWidth(halfWidth, sd, 0.95)).contains(k);
    }

    @Test
    void blocksNeededHasAnEnd() {
        assertThat(BlocksNeeded.forHalfWidth(1e-6, 1, 0.95)).isEmpty();
        assertThat(BlocksNeeded.forHalfWidth(1, 0, 0.95)).contains(6);
        assertThatThrownBy(() -> BlocksNeeded.forHalfWidth(0, 1, 0.95))
                .hasMessage("half width 0.0: expected a positive finite number");
    }

    /** SciPy's noncentral t: scipy_oracles.py. */
    @ParameterizedTest
    @CsvSource({"6,0.01,0.014345447820404032", "8,0.02,0.02312069355989467", "12,0.05,0.044432713264674344"})
    void detectionLimit(int blocks, double sd, double limit) {
        assertThat(DetectionLimit.of(blocks, sd, 0.95, 0.8).orElseThrow()).isCloseTo(limit, within(1e-9));
    }

    @Test
    void detectionLimitIsAbsentWhereTheExactTestCannotReject() {
        assertThat(DetectionLimit.of(5, 0.01, 0.95, 0.8)).isEmpty();
        assertThat(DetectionLimit.of(1, 0.01, 0.95, 0.8)).isEmpty();
        assertThat(DetectionLimit.of(5, 0.01, 0.9, 0.8)).isPresent();
        assertThat(DetectionLimit.power(6, 0, 0.95)).isCloseTo(0.05, within(1e-9));
    }
}
