package dev.assay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Files that are part of the program: texts, and tables of cells between tabs with comments behind {@code #}. */
public final class Resources {
    private Resources() {}

    /** The text of the file of this name beside the class; one that is missing is a fault of the build. */
    public static String text(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rows of the table of this name beside the class; one with another number of cells is a fault of the build. */
    public static List<String[]> table(Class<?> beside, String name, int columns) {
        List<String[]> rows = new ArrayList<>();
        for (String line : text(beside, name).lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] cells = line.split("\t", -1);
            if (cells.length != columns) {
                throw new IllegalStateException(
                        name + ": " + cells.length + " cells, expected " + columns + " in '" + line + "'");
            }
            rows.add(cells);
        }
        return rows;
    }
}
