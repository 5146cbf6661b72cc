package dev.assay.review;

import dev.assay.workload.RunSummary;
import dev.assay.workload.ValidityCheck;
import java.util.List;
import java.util.Map;

/**
 * What one slot showed, as its evidence files give it.
 *
 * @param telemetry the server's side by engine-neutral names; what is unknown is absent
 */
public record SlotResult(SlotKey key, double offeredRps, RunSummary summary, Map<String, Double> telemetry,
        List<EvidenceRef> evidence) {
    /** Whether no validity check failed. */
    public boolean admissible() {
        return summary.validity().stream().noneMatch(c -> c.status() == ValidityCheck.Status.FAIL);
    }
}
