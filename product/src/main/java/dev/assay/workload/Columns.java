package dev.assay.workload;

import dev.assay.AssayException;
import java.util.ArrayList;
import java.util.List;

/** The columns of a CSV file by their names; quotes around a cell are taken off, doubled ones inside it are one. */
public record Columns(List<String> names) {
    /** The columns of a header line; one that stands twice is a fault that names {@code place}. */
    public static Columns of(String header, String place) {
        List<String> names = cells(header, place);
        if (names.stream().distinct().count() < names.size()) {
            throw AssayException.misuse(place + ": a column stands twice in the header " + header);
        }
        return new Columns(names);
    }

    /** The cells of a line; as many as there are columns. */
    public List<String> read(String line, String place) {
        List<String> cells = cells(line, place);
        if (cells.size() != names.size()) {
            throw AssayException
                    .misuse(place + ": expected " + names.size() + " columns, found " + cells.size());
        }
        return cells;
    }

    /** Whether there is a column of that name. */
    public boolean has(String name) {
        return names.contains(name);
    }

    /** The cell of a column. */
    public String text(List<String> cells, String name, String place) {
        int at = names.indexOf(name);
        if (at < 0) {
            throw AssayException.misuse(place + ": column '" + name + "' is missing");
        }
        return cells.get(at);
    }

    /** A token count; some files write whole numbers as 12.0. */
    int tokens(List<String> cells, String name, String place) {
        double value = number(cells, name, place);
        if (value != Math.rint(value)) {
            throw AssayException
                    .misuse(place + ": field '" + name + "': expected a whole number, found " + value);
        }
        return TraceRows.tokens((long) value, name, place);
    }

    /** The cell of a column as a finite number. */
    public double number(List<String> cells, String name, String place) {
        String text = text(cells, name, place);
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw notANumber(name, text, place);
        }
        throw notANumber(name, text, place);
    }

    private static AssayException notANumber(String name, String text, String place) {
        return AssayException
                .misuse(place + ": field '" + name + "': expected a number, found '" + text + "'");
    }

    /** The cells of a line, blanks around them taken off; {@code place} is the file and line for messages. */
    public static List<String> cells(String line, String place) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    cell.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else if (c != '\uFEFF') {
                cell.append(c);
            }
        }
        if (quoted) {
            throw AssayException.misuse(place + ": a quoted cell does not end on its line");
        }
        cells.add(cell.toString().strip());
        return cells;
    }
}
