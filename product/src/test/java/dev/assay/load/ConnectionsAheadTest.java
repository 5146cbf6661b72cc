package dev.assay.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Request;
import dev.assay.workload.WorkloadSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionsAheadTest {
    /** Rate times 20 ms, at least 2 and at most 256. */
    @ParameterizedTest
    @CsvSource({"1, 2", "40, 2", "1000, 20", "5000, 100", "18000, 256"})
    void asManyAsFallDueInAHiccup(double rate, int expected) {
        assertEquals(expected, ConnectionsAhead.of(schedule(rate, 200)));
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void ofASingleRequestTheLeast(int count) {
        assertEquals(2, ConnectionsAhead.of(schedule(1, count)));
    }

    private static Iterable<Request> schedule(double rate, int count) {
        return WorkloadSpec.of(LengthDistribution.parse("16"), LengthDistribution.parse("4"))
                .requests(new Arrivals.Constant(rate), new Extent.Count(count), 1, Calibration.ASSUMED);
    }
}
