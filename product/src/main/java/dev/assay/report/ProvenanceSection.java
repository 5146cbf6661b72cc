package dev.assay.report;

import dev.assay.report.Part.Fact;
import dev.assay.review.EvidenceRef;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the record rests on, and how to check it. */
final class ProvenanceSection {
    private ProvenanceSection() {}

    static Section of(ReviewView view) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Seal",
                view.seal().map(s -> "sha256 " + s).orElse(Numbers.ABSENT + " (not sealed yet)")));
        facts.add(new Fact("Journal head", "sha256 " + view.head()));
        facts.add(new Fact("Evidence", evidence(view)));
        List<Part> parts = new ArrayList<>();
        parts.add(new Part.Facts(facts));
        if (!view.timeline().isEmpty()) {
            parts.add(new Part.Table("History", List.of(Column.word("UTC"), Column.prose("Event")),
                    view.timeline().stream().map(e -> List.of(Cell.of(e.at()), Cell.of(e.what()))).toList(),
                    List.of()));
        }
        parts.add(new Part.Text(
                "To recompute every figure from the evidence, with DIR as this review's directory:"));
        parts.add(new Part.Code("assay verify DIR"));
        return new Section("provenance", "Provenance", parts);
    }

    /** How many files of each kind, each counted once by its hash. */
    static String evidence(ReviewView view) {
        Map<String, EvidenceRef> files = new TreeMap<>();
        view.slots().forEach(s -> s.evidence().forEach(e -> files.put(e.sha256(), e)));
        if (files.isEmpty()) {
            return "none yet";
        }
        Map<String, Integer> kinds = new TreeMap<>();
        long bytes = 0;
        for (EvidenceRef file : files.values()) {
            kinds.merge(file.kind(), 1, Integer::sum);
            bytes += file.bytes();
        }
        List<String> words = new ArrayList<>();
        kinds.forEach((kind, n) -> words.add(n + " " + kind));
        return Numbers.count(files.size(), "file") + " of slots (" + String.join(", ", words) + "), "
                + Numbers.bytes((double) bytes);
    }
}
