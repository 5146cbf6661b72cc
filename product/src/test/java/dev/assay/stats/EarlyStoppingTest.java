package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EarlyStoppingTest {
    /** Oracle: MLPerf's early stopping at p99, d = 0, c = 0.99 (reference/measurement.md section 3). */
    @ParameterizedTest
    @CsvSource({"0, 459", "1, 662", "2, 838", "5, 1307", "10, 2010", "50, 6898"})
    void minimumQueriesForSoManyOver(int over, int queries) {
        assertThat(EarlyStopping.queries(over, 0.99, 0.99)).isEqualTo(queries);
        assertThat(EarlyStopping.allowed(queries, 0.99, 0.99)).isEqualTo(over);
        assertThat(EarlyStopping.allowed(queries - 1, 0.99, 0.99)).isEqualTo(over - 1);
    }

    /** Oracle: the floors of mlcommons/endpoints. */
    @ParameterizedTest
    @CsvSource({"0.9, 64", "0.95, 130", "0.99, 662", "0.999, 6636"})
    void floors(double percentile, int floor) {
        assertThat(EarlyStopping.floor(percentile)).isEqualTo(floor);
    }

    /** Oracle: what published LoadGen logs say at p90: "Would discard 9 highest latency queries" of 201, and so on. */
    @ParameterizedTest
    @CsvSource({"64, 0", "201, 9", "659, 47", "708, 51", "79944, 7796"})
    void theEstimateDiscardsAsManyAsLoadGen(int n, int discarded) {
        double[] values = IntStream.range(0, n).mapToDouble(i -> i).toArray();
        assertThat(EarlyStopping.estimate(values, 0.9, 0.99)).hasValue(n - 1 - discarded);
    }

    @Test
    void tooFewValuesGiveNoEstimate() {
        assertThat(EarlyStopping.estimate(new double[63], 0.9, 0.99)).isEmpty();
        assertThat(EarlyStopping.allowed(458, 0.99, 0.99)).isEqualTo(-1);
        assertThat(EarlyStopping.allowed(0, 0.99, 0.99)).isEqualTo(-1);
    }
}
