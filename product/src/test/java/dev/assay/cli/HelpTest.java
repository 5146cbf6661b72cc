package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The help of every command, found as a reader finds it: from the list of commands in the help above it. */
class HelpTest {
    private static final Pattern LISTED = Pattern.compile("^  ([a-z][a-z-]*)(  .*|,.*)?$");

    @Test
    void everyHelpFitsEightyColumns() {
        List<String> seen = new ArrayList<>();
        walk(List.of(), seen);
        assertThat(seen).contains("load", "curve", "compare", "demo", "predict", "show", "twin",
                "forecast step",
                "forecast surface", "forecast pages", "forecast accuracy");
    }

    private static void walk(List<String> command, List<String> seen) {
        List<String> args = new ArrayList<>(command);
        args.add("--help");
        Cli run = Cli.run(args.toArray(String[]::new));
        assertThat(run.code()).as("%s", args).isZero();
        assertThat(run.out().lines()).as("%s", args).allMatch(l -> l.length() <= 80);
        seen.add(String.join(" ", command));
        List<String> lines = run.out().lines().toList();
        int at = lines.indexOf("Commands:");
        for (String line : at < 0 ? List.<String>of() : lines.subList(at + 1, lines.size())) {
            if (line.isBlank()) {
                return;
            }
            var listed = LISTED.matcher(line);
            if (listed.matches()) {
                List<String> below = new ArrayList<>(command);
                below.add(listed.group(1));
                walk(below, seen);
            }
        }
    }
}
