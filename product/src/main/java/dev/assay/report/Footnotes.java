package dev.assay.report;

import java.util.ArrayList;
import java.util.List;

/** The reasons for absent values in one table, numbered in order of appearance. */
final class Footnotes {
    private static final String DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private final List<String> reasons = new ArrayList<>();

    /** A cell for an absent value that points to its reason. */
    Cell absent(String reason) {
        int at = reasons.indexOf(reason);
        if (at < 0) {
            reasons.add(reason);
            at = reasons.size() - 1;
        }
        return new Cell(Numbers.ABSENT + superscript(at + 1), Tone.FAINT);
    }

    /** The notes below the table: first the given ones, then the reasons. */
    List<String> notes(String... before) {
        List<String> notes = new ArrayList<>(List.of(before));
        for (int i = 0; i < reasons.size(); i++) {
            notes.add(superscript(i + 1) + " " + reasons.get(i));
        }
        return notes;
    }

    private static String superscript(int number) {
        StringBuilder text = new StringBuilder();
        Integer.toString(number).chars().forEach(c -> text.append(DIGITS.charAt(c - '0')));
        return text.toString();
    }
}
