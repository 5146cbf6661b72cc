package dev.assay.review;

import dev.assay.value.ValueRow;
import java.util.List;

/** The benchmark matrix: what each arm gave at each load point, and what that costs. */
final class Benchmark {
    private Benchmark() {
    }

    static List<ValueRow> rows(Proposal proposal, Samples samples) {
        return List.of();
    }
}
