package dev.assay.report;

import java.util.List;

/**
 * A titled section of the record.
 *
 * @param id its anchor
 */
public record Section(String id, String title, List<Part> parts) {
    public Section {
        parts = List.copyOf(parts);
    }
}
