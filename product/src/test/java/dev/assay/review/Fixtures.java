package dev.assay.review;

import dev.assay.json.Json;
import dev.assay.workload.RunSummary;
import dev.assay.workload.RunSummary.Requests;
import dev.assay.workload.RunSummary.Spread;
import dev.assay.workload.RunSummary.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Slots with chosen values, and a proposal from the shipped template. */
final class Fixtures {
    private Fixtures() {}

    static Proposal proposal() {
        return Json.bind(Json.parseYaml(Template.of(Proposal.ChangeKind.BATCH_CAP).render(), "review.yaml"),
                Proposal.class);
    }

    /** A slot in which goodput and throughput have this value, TPOT its inverse. */
    static SlotResult slot(int block, int session, Arm arm, int point, double value) {
        Spread spread = new Spread(100, 1 / value, 1 / value, 1 / value, 1 / value, 1 / value);
        RunSummary summary = new RunSummary(new Requests(100, 100, Map.of()), Optional.of(spread),
                Optional.of(spread),
                Optional.of(spread), Optional.of(spread), Optional.of(spread), new Throughput(value, value),
                OptionalDouble.of(value), OptionalDouble.of(1), Optional.empty(), 10, List.of());
        return new SlotResult(new SlotKey(block, session, arm, point), point + 1, summary, Map.of(),
                List.of());
    }

    /** Blocks in the order A, B, B, A at load point 0. */
    static List<SlotResult> blocks(double[][] values) {
        List<SlotResult> slots = new ArrayList<>();
        Arm[] arms = {Arm.BASELINE, Arm.CANDIDATE, Arm.CANDIDATE, Arm.BASELINE};
        for (int block = 0; block < values.length; block++) {
            for (int session = 0; session < 4; session++) {
                slots.add(slot(block, session, arms[session], 0, values[block][session]));
            }
        }
        return slots;
    }
}
