package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.imported.CompareOptions;
import dev.assay.load.imported.Comparer;
import dev.assay.load.imported.Comparison;
import dev.assay.load.imported.Fact;
import dev.assay.load.imported.Family;
import dev.assay.load.imported.ImportedRun;
import dev.assay.load.imported.Importer;
import dev.assay.load.imported.ResultSet;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two results, or two sets of results, of any load generator that is understood. */
@Command(name = "compare", mixinStandardHelpOptions = true, sortOptions = false, description = {
        "Judge two results, or two sets of repeats, of any load generator that is understood, and say what they"
                + " cannot tell. A directory, a quoted pattern, or several files after --a and --b are repeats of one"
                + " configuration. One file, or standard input, with two results in it is before and after.",
        "", "Understood by content: " + Importer.UNDERSTOOD
                + "; files, JSON Lines, and the tables that vLLM and SGLang print, also inside other text."}, footer = {
                        "", "Examples:", "  assay compare before/ after/",
                        "  assay compare --a before-*.json --b after-*.json --metrics ttft,tpot",
                        "  assay compare results.json              (two results in one file)",
                        "  pbpaste | assay compare -               (two printed tables)",
                        "  assay compare fp16.json fp8.json --allow model --json", "",
                        "Exit codes: 0 there is a verdict on at least one row, 2 misuse, 3 insufficient",
                        "evidence for any verdict (the comparison is printed all the same)."})
final class CompareCommand implements Callable<Integer> {
    private static final String STDIN = "-";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..2", paramLabel = "RESULT", description = "Result files, directories or quoted patterns: A, then B; - is standard input.")
    private List<String> results = List.of();

    @Option(names = "--a", arity = "1..*", paramLabel = "RESULT", description = "The repeats of A.")
    private List<String> a = List.of();

    @Option(names = "--b", arity = "1..*", paramLabel = "RESULT", description = "The repeats of B.")
    private List<String> b = List.of();

    @Option(names = "--metrics", split = ",", paramLabel = "NAME", description = "Only these, so that fewer repeats suffice: ttft, tpot, ntpot, itl, e2e, request_rate, output_rate, goodput, good_share.")
    private List<String> metrics = List.of();

    @Option(names = "--allow", split = ",", paramLabel = "NAME", description = "Differences that are meant and stand against no verdict: model, concurrency, rate, ..., tool, order.")
    private List<String> allow = List.of();

    @Option(names = "--level", paramLabel = "L", defaultValue = "0.95", description = "Level of intervals and verdicts (default: ${DEFAULT-VALUE}).")
    private double level = 0.95;

    @Option(names = "--width", paramLabel = "PERCENT", defaultValue = "5", description = "Width +-PERCENT for which the repeats needed are computed (default: ${DEFAULT-VALUE}).")
    private double width = 5;

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    private boolean json;

    /** What {@code --json} prints. */
    private record Document(double level, double width, List<String> allowed, int verdicts,
            List<ComparePoint> points, List<String> unmatched,
            List<String> notes) {}

    @Override
    public Integer call() {
        CompareOptions options = options();
        List<String> notes = new ArrayList<>();
        List<List<ImportedRun>> sides = sides(notes);
        Comparison comparison = Comparer.compare(sides.get(0), sides.get(1), options);
        if (json) {
            spec.commandLine().getOut().print(Json.pretty(new Document(options.level(), options.width(),
                    options.allowed().stream().sorted().toList(), comparison.verdicts(),
                    comparison.points().stream().map(ComparePoint::of).toList(), comparison.unmatched(),
                    notes)));
        } else {
            spec.commandLine().getOut().print(CompareReport.text(comparison, notes, options.width(), level));
        }
        spec.commandLine().getOut().flush();
        return comparison.verdicts() > 0 ? Exit.DONE : Exit.EVIDENCE;
    }

    private CompareOptions options() {
        Set<Family> families = EnumSet.noneOf(Family.class);
        for (String name : metrics) {
            families.add(List.of(Family.values()).stream()
                    .filter(f -> f.name().equalsIgnoreCase(name.strip())).findFirst()
                    .orElseThrow(() -> AssayException.misuse("--metrics has '" + name + "'; expected "
                            + names(List.of(Family.values())))));
        }
        Set<String> known = new TreeSet<>(CompareOptions.OTHER_DIFFERENCES);
        List.of(Fact.values()).forEach(f -> known.add(f.id()));
        Set<String> allowed = new TreeSet<>();
        for (String name : allow) {
            String id = name.strip().toLowerCase(Locale.ROOT);
            if (!known.contains(id)) {
                throw AssayException.misuse("--allow has '" + name + "'; expected one of "
                        + String.join(", ", known));
            }
            allowed.add(id);
        }
        try {
            return new CompareOptions(level, width / 100, allowed, families);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("--level and --width: " + e.getMessage());
        }
    }

    private static String names(List<Family> families) {
        return String.join(", ", families.stream().map(f -> f.name().toLowerCase(Locale.ROOT)).toList());
    }

    private List<List<ImportedRun>> sides(List<String> notes) {
        if (a.isEmpty() != b.isEmpty()) {
            throw AssayException
                    .misuse((a.isEmpty() ? "--a" : "--b") + " is missing; --a and --b go together");
        }
        if (!a.isEmpty()) {
            if (!results.isEmpty()) {
                throw AssayException.misuse("'" + results.getFirst()
                        + "' stands beside --a and --b; give either two results or --a and --b");
            }
            return List.of(side(a, notes), side(b, notes));
        }
        if (results.size() > 2) {
            throw AssayException
                    .misuse(results.size() + " results are given; expected two, or the repeats of each side"
                            + " after --a and --b, or patterns in quotes");
        }
        if (results.size() == 2) {
            if (results.getFirst().equals(STDIN) && results.getLast().equals(STDIN)) {
                throw AssayException
                        .misuse("standard input is given twice; one - alone holds before and after");
            }
            return List.of(side(results.subList(0, 1), notes), side(results.subList(1, 2), notes));
        }
        if (results.isEmpty() && Terminal.interactive()) {
            throw AssayException
                    .misuse("no result is given; expected two files, or two printed tables on standard"
                            + " input (see 'assay compare --help')");
        }
        String only = results.isEmpty() ? STDIN : results.getFirst();
        List<ImportedRun> runs = side(List.of(only), notes);
        if (runs.size() != 2) {
            throw AssayException
                    .misuse((only.equals(STDIN) ? "standard input" : only) + ": found " + runs.size()
                            + (runs.size() == 1 ? " run" : " runs")
                            + "; expected 2, before and after, where one result is given");
        }
        return List.of(runs.subList(0, 1), runs.subList(1, 2));
    }

    private static List<ImportedRun> side(List<String> names, List<String> notes) {
        List<ImportedRun> runs = new ArrayList<>();
        List<Path> paths = new ArrayList<>();
        for (String name : names) {
            if (name.equals(STDIN)) {
                runs.addAll(Importer.read(stdin(), "stdin"));
            } else {
                paths.addAll(paths(name));
            }
        }
        ResultSet set = ResultSet.of(paths);
        runs.addAll(set.runs());
        notes.addAll(set.notes());
        return runs;
    }

    private static byte[] stdin() {
        try {
            byte[] bytes = System.in.readNBytes(Importer.MOST_TEXT + 1);
            if (bytes.length > Importer.MOST_TEXT) {
                throw AssayException.misuse("standard input holds more than " + (Importer.MOST_TEXT >> 20)
                        + " MiB; give a file instead");
            }
            return bytes;
        } catch (IOException e) {
            throw AssayException.environment("standard input cannot be read: " + e.getMessage(), e);
        }
    }

    /** The path itself, or what a pattern in its last part matches. */
    private static List<Path> paths(String name) {
        Path path;
        try {
            path = Path.of(name);
        } catch (java.nio.file.InvalidPathException e) {
            throw AssayException
                    .misuse("'" + name.replaceAll("\\p{Cntrl}", "?") + "' is no path: " + e.getReason());
        }
        Path last = path.getFileName();
        if (Files.exists(path) || last == null || !last.toString().matches(".*[*?\\[{].*")) {
            return List.of(path);
        }
        Path parent = path.getParent();
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> matches = Files.newDirectoryStream(parent == null ? Path.of(".") : parent,
                last.toString())) {
            matches.forEach(found::add);
        } catch (IOException | DirectoryIteratorException | PatternSyntaxException e) {
            throw AssayException.misuse(name + ": no such pattern or directory");
        }
        if (found.isEmpty()) {
            throw AssayException.misuse(name + ": no file matches");
        }
        found.sort(null);
        return found;
    }
}
