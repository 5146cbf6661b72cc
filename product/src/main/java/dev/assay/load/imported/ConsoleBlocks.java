package dev.assay.load.imported;

import dev.assay.AssayException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables that {@code vllm bench serve} and SGLang's {@code bench_serving} print, wherever they stand in a text: logs,
 * pasted Markdown, quoted mail. Values are rounded to two decimals, and one table is one run without its requests.
 */
final class ConsoleBlocks {
    static final String MARKER = "Serving Benchmark Result";
    private static final Pattern START = Pattern.compile("={4,}\\s*" + MARKER + "\\s*={4,}");
    private static final Pattern END = Pattern.compile("^={20,}$");
    private static final Pattern HEADING = Pattern.compile("^-{3,}[^-].*-{3,}$");
    private static final Pattern ROW = Pattern.compile("^(.*?\\S)\\s*:\\s+(\\S.*?)\\s*$");
    private static final Pattern ANSI = Pattern.compile("\u001B\\[[0-9;]*[A-Za-z]");
    private static final Pattern QUOTE = Pattern.compile("^[\\s>|#*`]+");
    private static final Pattern LATENCY = Pattern
            .compile("(mean|median|p[0-9.]+) (ttft|tpot|itl|e2el|e2e latency) \\(ms\\)");

    private ConsoleBlocks() {}

    /** The runs of all tables in a text, in their order. */
    static List<ImportedRun> read(String text, String source) {
        List<Map<String, String>> blocks = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        Map<String, String> current = null;
        int number = 0;
        for (String raw : text.lines().toList()) {
            number++;
            String line = QUOTE.matcher(ANSI.matcher(raw).replaceAll("")).replaceFirst("").strip();
            if (START.matcher(line).find()) {
                current = new LinkedHashMap<>();
                blocks.add(current);
                lines.add(number);
            } else if (current != null && END.matcher(line).matches()) {
                current = null;
            } else if (current != null && !HEADING.matcher(line).matches()) {
                row(current, line, source + ":" + number);
            }
        }
        List<ImportedRun> runs = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            runs.add(run(blocks.get(i), blocks.size() == 1 ? source : source + "#" + (i + 1),
                    source + ":" + lines.get(i)));
        }
        return runs;
    }

    private static void row(Map<String, String> block, String line, String at) {
        Matcher m = ROW.matcher(line);
        if (m.matches()) {
            String label = m.group(1).toLowerCase(Locale.ROOT);
            if (block.put(label, m.group(2)) != null) {
                throw AssayException.misuse(at + ": row '" + label + "' stands twice in one table");
            }
        }
    }

    private static ImportedRun run(Map<String, String> rows, String source, String at) {
        boolean sglang = rows.containsKey("backend") || rows.keySet().stream()
                .anyMatch(k -> k.contains("e2e latency") || k.contains("retokenized"));
        RunBuilder run = new RunBuilder(sglang ? Tool.SGLANG : Tool.VLLM, source);
        Block block = new Block(rows, at);
        OptionalLong completed = block.count("successful requests");
        OptionalLong failed = block.count("failed requests");
        Optional<String> rate = block.text("request rate configured (rps)")
                .or(() -> block.text("traffic request rate"));
        run.counts(completed, failed).duration(block.number("benchmark duration (s)"))
                .fact(Fact.RATE, rate.filter(r -> !r.equals("trace")).map(ConsoleBlocks::number))
                .fact(Fact.ARRIVALS, rate.filter(r -> r.equals("inf")).map(r -> "all at once"))
                .fact(Fact.CONCURRENCY, block.text("maximum request concurrency")
                        .or(() -> block.text("max request concurrency"))
                        .or(() -> block.text("max reqeuest concurrency")).map(ConsoleBlocks::number))
                .fact(Fact.ENDPOINT, block.text("backend").map(VllmFormat::endpoint))
                .meanTokens(Fact.MEAN_INPUT_TOKENS, block.number("total input tokens"), completed)
                .meanTokens(Fact.MEAN_OUTPUT_TOKENS, block.number("total generated tokens"), completed)
                .fact(Fact.REQUESTS, total(completed, failed))
                .whole(Formula.REQUESTS_OVER_WINDOW, block.number("request throughput (req/s)"))
                .whole(Formula.OUTPUT_OVER_WINDOW, block.number("output token throughput (tok/s)"))
                .whole(Formula.GOOD_PER_SECOND, block.number("request goodput (req/s)"));
        int found = latencies(run, rows, block, sglang);
        if (found == 0 && completed.isEmpty()) {
            throw AssayException
                    .misuse(at + ": expected rows such as 'Mean TTFT (ms): 20.15' after the heading '"
                            + MARKER + "', found none");
        }
        return run.note("a printed table: rounded to two decimals, no single requests, no model").build();
    }

    private static Optional<String> total(OptionalLong completed, OptionalLong failed) {
        return completed.isEmpty() || failed.isEmpty()
                ? Optional.empty()
                : Optional.of(Long.toString(completed.getAsLong() + failed.getAsLong()));
    }

    private static int latencies(RunBuilder run, Map<String, String> rows, Block block, boolean sglang) {
        boolean unmeasured = sglang && block.number("mean ttft (ms)").orElse(1) == 0;
        boolean perToken = block.text("backend").orElse("").equals("sglang");
        int found = 0;
        for (String label : rows.keySet()) {
            Matcher m = LATENCY.matcher(label);
            if (!m.matches()
                    || m.group(1).equals("p50") && rows.containsKey("median " + m.group(2) + " (ms)")) {
                continue;
            }
            Formula formula = switch (m.group(2)) {
                case "ttft" -> sglang ? Formula.TTFT_CONTENT_CONNECT : Formula.TTFT_VLLM_UNSTATED;
                case "tpot" -> sglang ? Formula.TPOT_STREAM_END : Formula.TPOT_CHOICES;
                case "itl" -> perToken ? Formula.ITL_CHUNK_OVER_TOKENS : Formula.ITL_CHUNKS;
                default -> sglang ? Formula.E2E_STREAM_SENT : Formula.E2E_CHOICES_SENT;
            };
            if (unmeasured && formula.family() == Family.TPOT) {
                run.note("TTFT is 0, so TPOT holds the prefill: both are left out");
                continue;
            }
            put(run, formula, m.group(1), block.number(label), block.at());
            found++;
        }
        return found;
    }

    private static void put(RunBuilder run, Formula formula, String statistic, OptionalDouble value,
            String at) {
        switch (statistic) {
            case "mean" -> run.mean(formula, value);
            case "median" -> run.percentile(formula, 50, QuantileRule.LINEAR, value);
            default -> {
                if (!statistic.matches("p\\d{1,2}(\\.\\d{1,6})?")
                        || Double.parseDouble(statistic.substring(1)) == 0) {
                    throw AssayException
                            .misuse(at + ": row '" + statistic + " ...': expected a percentile from p1"
                                    + " to p99.9");
                }
                run.percentile(formula, Double.parseDouble(statistic.substring(1)), QuantileRule.LINEAR,
                        value);
            }
        }
    }

    /** A number as a fact: 4 for 4.00; other words stay. */
    private static String number(String text) {
        return text.matches("\\d{1,15}(\\.\\d+)?") ? Fields.plain(Double.parseDouble(text)) : text;
    }

    /** The rows of one table; "not set", "inf" and "nan" are no numbers. */
    private record Block(Map<String, String> rows, String at) {
        Optional<String> text(String label) {
            return Optional.ofNullable(rows.get(label)).filter(t -> !t.equalsIgnoreCase("not set")
                    && !t.equalsIgnoreCase("none") && !t.equalsIgnoreCase("nan"));
        }

        OptionalDouble number(String label) {
            Optional<String> text = text(label);
            if (text.isEmpty() || text.get().equals("inf")) {
                return OptionalDouble.empty();
            }
            if (!text.get().matches("-?\\d{1,18}(\\.\\d{1,18})?([eE][+-]?\\d{1,2})?")) {
                throw AssayException.misuse(at + ": row '" + label + "': expected a number, found '"
                        + text.get().replaceAll("\\p{Cntrl}", "?") + "'");
            }
            return OptionalDouble.of(Double.parseDouble(text.get()));
        }

        OptionalLong count(String label) {
            OptionalDouble n = number(label);
            if (n.isEmpty()) {
                return OptionalLong.empty();
            }
            if (n.getAsDouble() < 0 || n.getAsDouble() != Math.rint(n.getAsDouble())) {
                throw AssayException.misuse(at + ": row '" + label + "': expected a count, found '"
                        + rows.get(label) + "'");
            }
            return OptionalLong.of((long) n.getAsDouble());
        }
    }
}
