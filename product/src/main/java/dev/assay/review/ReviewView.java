package dev.assay.review;

import dev.assay.quality.QualityReport;
import dev.assay.value.ValueRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a reader of a review is shown, in every form: the terminal, Markdown, HTML and {@code --json} render
 * this one view, and {@code assay verify} renders it again from the evidence.
 *
 * @param head the hash of the journal's last event that the view rests on
 * @param machine what the measurement ran on, by name (cpu, cores, os, java)
 * @param benchmark the matrix: one row for each load point and arm
 */
public record ReviewView(Proposal proposal, Status status, String head, Optional<String> seal,
        Map<String, String> machine, Optional<Prediction> prediction, Optional<Analysis> analysis,
        List<SlotResult> slots, List<FailedSlot> failedSlots, Optional<QualityReport> quality,
        List<ValueRow> benchmark, Optional<Decision> decision, List<TimelineEntry> timeline,
        List<String> limits) {

    /** How far the review is. */
    public enum Status {
        DRAFT, PREDICTED, SEALED, MEASURING, MEASURED, DECIDED
    }

    /** A slot that gave nothing usable, and why. */
    public record FailedSlot(SlotKey key, String reason) {}

    /** One step of the review's history. {@code at} is UTC, ISO 8601. */
    public record TimelineEntry(String at, String what) {}
}
