package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.workload.Columns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** {@code profile_export_aiperf.csv} of AIPerf: the summary's numbers in rounded form and without the configuration. */
final class AiperfCsv {
    static final String HEADER = "Metric,avg,";

    private AiperfCsv() {}

    static ImportedRun read(String text, String source) {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        List<String> header = List.of();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            List<String> cells = Columns.cells(line, source + ":" + number);
            if (cells.getFirst().equals("Metric")) {
                header = cells;
                continue;
            }
            if (line.isBlank() || header.isEmpty()) {
                header = List.of();
                continue;
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 1; i < Math.min(cells.size(), header.size()); i++) {
                row.put(header.get(i), cells.get(i));
            }
            if (rows.putIfAbsent(cells.getFirst(), row) != null) {
                throw AssayException.misuse(source + ":" + number + ": row '"
                        + cells.getFirst().replaceAll("\\p{Cntrl}", "?") + "' stands twice");
            }
        }
        RunBuilder run = new RunBuilder(Tool.AIPERF, source).part(ImportedRun.Part.COPY);
        OptionalDouble good = value(rows, "Request Count", "Value", source);
        OptionalDouble ended = value(rows, "Completed Requests (Success + Error)", "Value", source);
        run.counts(count(good), good.isPresent() && ended.isPresent()
                ? count(OptionalDouble.of(ended.getAsDouble() - good.getAsDouble()))
                : OptionalLong.empty())
                .fact(Fact.MEAN_INPUT_TOKENS,
                        AiperfFormat.rounded(value(rows, "Input Sequence Length (tokens)", "avg", source)))
                .fact(Fact.MEAN_OUTPUT_TOKENS,
                        AiperfFormat.rounded(value(rows, "Output Sequence Length (tokens)", "avg", source)))
                .duration(value(rows, "Benchmark Duration (sec)", "Value", source));
        latency(run, rows, "Time to First Token (ms)", Formula.TTFT_CONTENT_SENT, source);
        latency(run, rows, "Inter Token Latency (ms)", Formula.TPOT_CONTENT, source);
        latency(run, rows, "Inter Chunk Latency (ms)", Formula.ITL_CHUNKS, source);
        latency(run, rows, "Request Latency (ms)", Formula.E2E_CONTENT_SENT, source);
        run.whole(Formula.REQUESTS_OVER_WINDOW,
                value(rows, "Request Throughput (requests/sec)", "Value", source))
                .whole(Formula.OUTPUT_OVER_WINDOW,
                        value(rows, "Output Token Throughput (tokens/sec)", "Value", source))
                .whole(Formula.GOOD_PER_SECOND, value(rows, "Goodput (requests/sec)", "Value", source));
        return run.note("AIPerf's CSV: rounded to two decimals and without the configuration").build();
    }

    private static OptionalLong count(OptionalDouble n) {
        return n.isEmpty() || n.getAsDouble() < 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.round(n.getAsDouble()));
    }

    private static void latency(RunBuilder run, Map<String, Map<String, String>> rows, String name,
            Formula formula, String source) {
        run.mean(formula, value(rows, name, "avg", source));
        for (double percent : new double[]{50, 90, 95, 99}) {
            run.percentile(formula, percent, QuantileRule.LINEAR,
                    value(rows, name, "p" + Fields.plain(percent), source));
        }
    }

    private static OptionalDouble value(Map<String, Map<String, String>> rows, String name, String column,
            String source) {
        String text = rows.getOrDefault(name, Map.of()).getOrDefault(column, "").replace(",", "");
        if (text.isBlank() || text.equalsIgnoreCase("n/a")) {
            return OptionalDouble.empty();
        }
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw AssayException.misuse(source + ": row '" + name + "', column " + column
                    + ": expected a number, found '" + text.replaceAll("\\p{Cntrl}", "?") + "'");
        }
    }
}
