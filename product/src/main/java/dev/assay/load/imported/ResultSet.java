package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.load.imported.ImportedRun.Counts;
import dev.assay.load.imported.ImportedRun.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The runs of one side of a comparison: files, and directories with everything below them that is a result.
 *
 * @param runs repeats, in the order found
 * @param notes what was passed over, and what was put together
 */
public record ResultSet(List<ImportedRun> runs, List<String> notes) {
    private static final int MOST_FILES = 10_000;

    public ResultSet {
        runs = List.copyOf(runs);
        notes = List.copyOf(notes);
    }

    /**
     * Reads paths. In a directory, files of other kinds are passed over, and the files that one tool writes for one run
     * (summary, requests, copies) make one run; a file that is named must be a result.
     */
    public static ResultSet of(List<Path> paths) {
        List<ImportedRun> runs = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                directory(path, runs, notes);
            } else {
                runs.addAll(Importer.read(path));
            }
        }
        return new ResultSet(runs, notes);
    }

    private static void directory(Path root, List<ImportedRun> runs, List<String> notes) {
        Map<Path, List<ImportedRun>> byDirectory = new LinkedHashMap<>();
        List<String> passed = new ArrayList<>();
        for (Path file : files(root)) {
            try {
                byDirectory.computeIfAbsent(parent(file), k -> new ArrayList<>()).addAll(Importer.read(file));
            } catch (AssayException e) {
                if (e.getMessage() == null || !e.getMessage().contains("not a result that is understood")
                        && !e.getMessage().contains("not a file of request records")
                        && !e.getMessage().contains("expected text in UTF-8")) {
                    throw e;
                }
                passed.add(root.relativize(file).toString());
            }
        }
        byDirectory.values().forEach(found -> runs.addAll(together(found, notes)));
        if (!passed.isEmpty()) {
            notes.add(root + ": passed over " + passed.size() + " other file"
                    + (passed.size() == 1 ? "" : "s") + ": "
                    + String.join(", ", passed.subList(0, Math.min(5, passed.size())))
                    + (passed.size() > 5 ? ", ..." : ""));
        }
        if (byDirectory.values().stream().allMatch(List::isEmpty)) {
            throw AssayException.misuse(root + ": no result in this directory; expected files of "
                    + Importer.UNDERSTOOD);
        }
    }

    private static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? Path.of("") : parent;
    }

    private static List<Path> files(Path root) {
        try (Stream<Path> walk = Files.walk(root)) {
            List<Path> files = walk.filter(Files::isRegularFile).limit(MOST_FILES + 1L).sorted().toList();
            if (files.size() > MOST_FILES) {
                throw AssayException
                        .misuse(root + ": more than " + MOST_FILES + " files; expected results only");
            }
            return files;
        } catch (IOException | java.io.UncheckedIOException e) {
            throw AssayException.environment(root + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The runs of one directory: a tool's parts become one run, printed tables give way to files of the same tool. */
    private static List<ImportedRun> together(List<ImportedRun> found, List<String> notes) {
        List<ImportedRun> runs = new ArrayList<>();
        Map<Tool, List<ImportedRun>> byTool = new EnumMap<>(Tool.class);
        found.forEach(run -> byTool.computeIfAbsent(run.tool(), k -> new ArrayList<>()).add(run));
        byTool.forEach((tool, all) -> {
            List<ImportedRun> whole = all.stream().filter(r -> r.part() == Part.WHOLE).toList();
            if (!whole.isEmpty()) {
                runs.addAll(withoutTables(whole, notes));
                return;
            }
            List<ImportedRun> summaries = all.stream().filter(r -> r.part() == Part.SUMMARY).toList();
            List<ImportedRun> copies = all.stream().filter(r -> r.part() == Part.COPY).toList();
            List<ImportedRun> requests = all.stream().filter(r -> r.part() == Part.REQUESTS).toList();
            List<ImportedRun> main = summaries.isEmpty() ? copies : summaries;
            if (main.size() > 1) {
                // Several stages of one run: load points of their own, whose requests cannot be told apart.
                runs.addAll(main);
            } else if (main.isEmpty()) {
                runs.addAll(requests);
            } else {
                runs.add(requests.size() == 1
                        ? joined(main.getFirst(), requests.getFirst())
                        : main.getFirst());
            }
        });
        return runs;
    }

    private static List<ImportedRun> withoutTables(List<ImportedRun> whole, List<String> notes) {
        Set<String> tables = new HashSet<>();
        List<ImportedRun> files = whole.stream().filter(r -> {
            boolean table = r.notes().stream().anyMatch(n -> n.startsWith("a printed table"));
            if (table) {
                tables.add(r.source());
            }
            return !table;
        }).toList();
        if (files.isEmpty() || tables.isEmpty()) {
            return whole;
        }
        notes.add("passed over " + tables.size() + " printed tables beside result files of the same tool");
        return files;
    }

    /** The summary with what its requests add; numbers computed from requests replace those reported. */
    private static ImportedRun joined(ImportedRun summary, ImportedRun requests) {
        Map<Measure.Key, Measure> measures = new LinkedHashMap<>();
        summary.measures().forEach(m -> measures.put(m.key(), m));
        requests.measures().stream().filter(m -> m.key().formula().family().isLatency())
                .forEach(m -> measures.put(m.key(), m));
        requests.measures().forEach(m -> measures.putIfAbsent(m.key(), m));
        Map<Fact, String> facts = new EnumMap<>(Fact.class);
        facts.putAll(requests.facts());
        facts.putAll(summary.facts());
        Set<String> notes = new LinkedHashSet<>(summary.notes());
        notes.addAll(requests.notes());
        Counts counts = new Counts(
                summary.counts().attempted().isPresent()
                        ? summary.counts().attempted()
                        : requests.counts().attempted(),
                summary.counts().completed().isPresent()
                        ? summary.counts().completed()
                        : requests.counts().completed(),
                summary.counts().failed().isPresent()
                        ? summary.counts().failed()
                        : requests.counts().failed());
        return new ImportedRun(summary.tool(), summary.version(), summary.source(),
                summary.when().isPresent() ? summary.when() : requests.when(), facts, counts,
                summary.durationS().isPresent() ? summary.durationS() : requests.durationS(),
                List.copyOf(measures.values()), requests.requests(), Part.WHOLE, summary.invalid(),
                List.copyOf(notes));
    }
}
