package dev.assay.workload;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Client profiles of ServeGen (NSDI'26, alibaba/ServeGen {@code data/language}): for each client a file
 * {@code …trace.csv} of windows (start in seconds, requests per second, coefficient of variation of the gaps, name and
 * two parameters of a fitted law; no header) and a file {@code …dataset.json} of prompt and answer lengths with their
 * shares, by start in seconds.
 *
 * <p>A client arrives in each window as a gamma renewal process of that window's rate and coefficient of variation; the
 * named law is not used, as its own rate and variation often differ from those in the row. Its lengths are drawn
 * from the latest data set that began by then. Clients are merged by time.
 */
public record ServeGen(String name, List<Client> clients) {
    private static final String TRACE = "trace.csv";
    private static final String DATASET = "dataset.json";
    private static final int COLUMNS = 6;
    private static final double NANOS = 1e9;
    /** Gaps more even than this are drawn as if they had this coefficient of variation. */
    private static final double LEAST_CV = 1e-3;

    public ServeGen {
        clients = List.copyOf(clients);
        if (clients.stream().allMatch(c -> c.windows().isEmpty())) {
            throw new IllegalArgumentException("no client has a window with requests");
        }
    }

    /** One client: its windows in which requests arrive, by their start. */
    record Client(List<Window> windows) {}

    /** How a client behaves for a time, counted from the first window of all. */
    record Window(long startNanos, long endNanos, double ratePerS, double cv, Empirical input,
            Empirical output) {
        Arrivals.Gamma arrivals() {
            double used = Math.max(cv, LEAST_CV);
            return new Arrivals.Gamma(ratePerS, 1 / (used * used));
        }

        /** Requests to be expected in it. */
        double expected() {
            return ratePerS * (endNanos - startNanos) / NANOS;
        }
    }

    Session.Source source(long seed, boolean replayed) {
        return replayed ? new ClientReplay(this, seed) : new ClientDraws(this, seed);
    }

    /** Whether this is the first line of a client's windows. */
    static boolean begins(String line) {
        String[] cells = line.strip().split(",", -1);
        return cells.length == COLUMNS && cells[0].matches("[0-9]+") && cells[3].matches("[A-Za-z]*");
    }

    /** The client of this file, or all clients of this folder. */
    static ServeGen read(Path path) {
        List<Path> files = List.of(path);
        if (Files.isDirectory(path)) {
            try (Stream<Path> all = Files.list(path)) {
                files = all.filter(f -> f.toString().endsWith(TRACE)).sorted().toList();
            } catch (IOException e) {
                throw AssayException.environment(path + ": not readable: " + e.getMessage(), e);
            }
        }
        if (files.isEmpty()) {
            throw AssayException.misuse(path + ": expected files named …" + TRACE + " and …" + DATASET
                    + " (ServeGen), found none");
        }
        return new ServeGen(String.valueOf(path.getFileName()),
                files.stream().map(ServeGen::client).toList());
    }

    private static Client client(Path file) {
        TreeMap<Long, Map.Entry<Empirical, Empirical>> lengths = lengths(file);
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw AssayException.environment(file + ": not readable: " + e.getMessage(), e);
        }
        List<double[]> rows = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                rows.add(row(lines.get(i), file + ":" + (i + 1), rows));
            }
        }
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            double[] row = rows.get(i);
            // The last window is as long as the one before it.
            double end = i + 1 < rows.size()
                    ? rows.get(i + 1)[0]
                    : row[0] + (i > 0 ? row[0] - rows.get(i - 1)[0] : 600);
            var data = lengths.floorEntry((long) row[0]);
            if (row[1] > 0 && data != null) {
                windows.add(new Window(Math.round(row[0] * NANOS), Math.round(end * NANOS), row[1], row[2],
                        data.getValue().getKey(), data.getValue().getValue()));
            }
        }
        return new Client(windows);
    }

    private static double[] row(String line, String place, List<double[]> before) {
        List<String> cells = Columns.cells(line, place);
        Columns columns = new Columns(List.of("start", "rate", "cv", "pattern", "first", "second"));
        if (cells.size() != COLUMNS) {
            throw AssayException.misuse(place + ": expected " + COLUMNS + " columns, found " + cells.size());
        }
        double[] row = {columns.number(cells, "start", place), columns.number(cells, "rate", place),
                columns.number(cells, "cv", place)};
        if (!(row[0] >= 0) || !before.isEmpty() && row[0] <= before.getLast()[0]) {
            throw AssayException.misuse(
                    place + ": field 'start': expected seconds that ascend from 0, found " + row[0]);
        }
        if (!(row[1] >= 0) || !(row[2] >= 0)) {
            throw AssayException.misuse(place + ": fields 'rate' and 'cv': expected 0 or more, found "
                    + row[1] + " and " + row[2]);
        }
        return row;
    }

    private static TreeMap<Long, Map.Entry<Empirical, Empirical>> lengths(Path trace) {
        String name = String.valueOf(trace.getFileName());
        Path file = trace.resolveSibling(name.substring(0, name.length() - TRACE.length()) + DATASET);
        TreeMap<Long, Map.Entry<Empirical, Empirical>> all = new TreeMap<>();
        JsonValue.Obj tree = Json.parseFile(file).asObject();
        for (Map.Entry<String, JsonValue> entry : tree.fields().entrySet()) {
            JsonValue.Obj row = entry.getValue().asObject();
            String place = file + ":" + row.at().line() + ": window " + entry.getKey();
            Empirical input = empirical(row, "input_tokens", place);
            Empirical output = empirical(row, "output_tokens", place);
            if (!input.isEmpty() && !output.isEmpty()) {
                all.put(start(entry.getKey(), place), Map.entry(input, output));
            }
        }
        return all;
    }

    private static Empirical empirical(JsonValue.Obj row, String field, String place) {
        return Empirical.parse(row.require(field).asText(), place + ": field '" + field + "'");
    }

    private static long start(String text, String place) {
        return Optional.of(text).filter(t -> t.matches("[0-9]{1,12}")).map(Long::parseLong).orElseThrow(
                () -> AssayException.misuse(place + ": expected its start in whole seconds"));
    }
}
