package dev.assay.report;

import dev.assay.review.ReviewView;
import dev.assay.review.SlotResult;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The admissibility checks: how often each passed, and every one that did not. */
final class ValiditySection {
    /** Up to so many slots with the same warning are listed one by one. */
    private static final int FEW = 6;

    private ValiditySection() {}

    static Section of(ReviewView view) {
        List<Part> parts = new ArrayList<>();
        if (view.slots().isEmpty() && view.failedSlots().isEmpty()) {
            return new Section("validity", "Validity checks", Outline.nothing("No slot was measured yet."));
        }
        if (!view.slots().isEmpty()) {
            parts.add(summary(view.slots()));
        }
        List<List<Cell>> doubts = doubts(view);
        if (doubts.isEmpty()) {
            parts.add(new Part.Text("No check warned or failed, and no slot was lost."));
        } else {
            parts.add(new Part.Table("Checks that did not pass",
                    List.of(Column.word("Slot"), Column.word("Check"),
                            Column.word("Status"), Column.prose("Detail")),
                    doubts, List.of()));
        }
        return new Section("validity", "Validity checks", parts);
    }

    private static Part.Table summary(List<SlotResult> slots) {
        TreeSet<String> names = new TreeSet<>();
        slots.forEach(s -> s.summary().validity().forEach(c -> names.add(c.check())));
        List<List<Cell>> rows = new ArrayList<>();
        for (String name : names) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(name)));
            for (Status status : Status.values()) {
                long n = slots.stream().flatMap(s -> s.summary().validity().stream())
                        .filter(c -> c.check().equals(name) && c.status() == status).count();
                row.add(new Cell(Long.toString(n), n == 0 ? Tone.PLAIN : alarm(status)));
            }
            rows.add(row);
        }
        return new Part.Table("Slots by check", List.of(Column.word("Check"), Column.figure("pass"),
                Column.figure("warn"), Column.figure("fail"), Column.figure("nothing to check")), rows,
                List.of());
    }

    /** Every warning, failure and lost slot: slot, check, status, detail; a warning of many slots is one row. */
    static List<List<Cell>> doubts(ReviewView view) {
        List<List<Cell>> rows = new ArrayList<>();
        Set<String> shared = new HashSet<>();
        for (SlotResult slot : view.slots()) {
            for (ValidityCheck check : slot.summary().validity()) {
                if (check.status() == Status.WARN || check.status() == Status.FAIL) {
                    long alike = check.status() == Status.WARN ? warned(view, check.check()) : 1;
                    // The same warning in most slots is one fact about the design, not a row for each of them.
                    if (alike <= FEW) {
                        rows.add(row(slot.key().label(), check, check.detail()));
                    } else if (shared.add(check.check())) {
                        rows.add(row(alike + " slots", check, "for example " + check.detail()));
                    }
                }
            }
        }
        view.failedSlots().forEach(f -> rows.add(List.of(Cell.of(f.key().label()), Cell.of("slot"),
                Cell.marked("lost", Tone.BAD), Cell.of(f.reason()))));
        return rows;
    }

    private static long warned(ReviewView view, String check) {
        return view.slots().stream().flatMap(s -> s.summary().validity().stream())
                .filter(c -> c.check().equals(check) && c.status() == Status.WARN).count();
    }

    private static List<Cell> row(String slots, ValidityCheck check, String detail) {
        return List.of(Cell.of(slots), Cell.of(check.check()),
                Cell.marked(Words.of(check.status()), alarm(check.status())), Cell.of(detail));
    }

    private static Tone alarm(Status status) {
        return switch (status) {
            case PASS, ABSENT -> Tone.PLAIN;
            case WARN -> Tone.UNSURE;
            case FAIL -> Tone.BAD;
        };
    }
}
