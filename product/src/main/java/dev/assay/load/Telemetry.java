package dev.assay.load;

import dev.assay.load.MetricNames.Kind;
import dev.assay.load.MetricNames.Row;
import dev.assay.load.MetricWindow.Found;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A server's own account of a slot in names that do not depend on the engine; what an engine does not report is absent,
 * with the reason. {@code docs/telemetry.md} lists the names and says how each is computed; {@code metric-names.tsv}
 * lists from which metric of which server each is read.
 */
public final class Telemetry {
    private static final double MS = 1e3;

    /** What there was before scrapes were timed. */
    private static final Set<String> EARLY = Set.of("steps", "decode_rows_per_step", "tokens_per_step",
            "step_time_ms", "decode_step_time_ms", "weight_bytes_per_step", "kv_bytes_per_step",
            "preemptions", "prefix_hit_share", "prompt_tokens", "generation_tokens", "itl_mean_ms",
            "engine_busy_share", "gemm_share", "attention_share", "wait_cap", "wait_pages", "wait_budget",
            "running_mean", "waiting_mean", "kv_cache_usage_peak", "resident_weight_bytes");

    private final MetricWindow window;
    private final String server;
    private final Map<String, Double> values = new TreeMap<>();
    private final Map<String, String> sources = new TreeMap<>();
    private final Map<String, String> absent = new TreeMap<>();

    private Telemetry(MetricWindow window, String server) {
        this.window = window;
        this.server = server;
    }

    /**
     * What a server says of a slot.
     *
     * @param server whose names the page has, empty where the table knows none of them
     * @param values by the names of {@code docs/telemetry.md}
     * @param sources for each value the metrics that it is from
     * @param absent for each name without a value the reason
     */
    public record Account(Optional<String> server, Map<String, Double> values, Map<String, String> sources,
            Map<String, String> absent) {
        public Account {
            values = Map.copyOf(values);
            sources = Map.copyOf(sources);
            absent = Map.copyOf(absent);
        }

        /** No account, for one reason. */
        static Account none(String reason) {
            return new Account(Optional.empty(), Map.of(), Map.of(), Map.of("server", reason));
        }
    }

    /** The values of {@link #account}, with the pages taken in between for the gauges. */
    public static Map<String, Double> between(MetricsSnapshot before, MetricsSnapshot after,
            List<MetricsSnapshot> during) {
        return new TreeMap<>(account(new MetricWindow(before, after, during, Set.of())).values());
    }

    static Account account(MetricWindow window) {
        Optional<String> server = MetricNames.table().server(window.after());
        if (server.isEmpty()) {
            return Account.none("the page has no metric of a server that Assay knows");
        }
        Telemetry telemetry = new Telemetry(window, server.get());
        telemetry.counters();
        telemetry.latencies();
        telemetry.levels();
        switch (server.get()) {
            case "assay" -> telemetry.assay();
            case "vllm" -> telemetry.vllm();
            case "llama.cpp" -> telemetry.llamaCpp();
            default -> telemetry.put("steps", telemetry.counter("steps"));
        }
        if (window.early()) {
            telemetry.values.keySet().retainAll(EARLY);
            if (server.get().equals("llama.cpp")) {
                telemetry.values.remove("prefix_hit_share");
            }
        }
        return new Account(server, telemetry.values, telemetry.sources, telemetry.absent);
    }

    private void counters() {
        put("prompt_tokens", counter("prompt_tokens"));
        put("generation_tokens", counter("generation_tokens"));
        put("requests_finished", counter("requests_finished"));
        put("preemptions", counter("preemptions"));
        put("prefix_hit_share", prefixHits());
        put("tokens_per_step", histogram("iteration_tokens", 1));
        Found accepted = counter("spec_accepted_tokens");
        put("spec_acceptance_rate", accepted.over(counter("spec_draft_tokens"), 1));
        put("spec_accepted_per_draft", accepted.over(counter("spec_drafts"), 1));
    }

    /** Over tokens looked up where the server counts them, else over hits and misses, in tokens before blocks. */
    private Found prefixHits() {
        Found hits = counter("prefix_hits");
        if (hits.value().isPresent()) {
            Found queries = row("prefix_queries").isPresent()
                    ? counter("prefix_queries")
                    : hits.plus(counter("prefix_misses"));
            return hits.over(queries, 1);
        }
        if (row("prefix_block_hits").isEmpty()) {
            return hits;
        }
        Found blocks = counter("prefix_block_hits");
        return blocks.over(blocks.plus(counter("prefix_block_misses")), 1);
    }

    private void latencies() {
        put("itl_mean_ms", histogram("itl", MS));
        put("server_tpot_mean_ms", histogram("tpot", MS));
        put("server_ttft_mean_ms", histogram("ttft", MS));
        put("server_e2e_mean_ms", histogram("e2e", MS));
        put("server_queue_mean_ms", histogram("queue", MS));
        put("server_prefill_mean_ms", histogram("prefill", MS));
        put("server_decode_mean_ms", histogram("decode", MS));
    }

    private void levels() {
        level("running", "running_mean", "running_max");
        level("waiting", "waiting_mean", "waiting_max");
        level("kv_usage", "kv_cache_usage_mean", "kv_cache_usage_peak");
        for (String fact : List.of("waiting_capacity", "waiting_deferred", "prefix_hit_gauge",
                "spec_accept_length", "spec_accept_gauge")) {
            // Few servers have these; for the others a reason would only be noise.
            row(fact).ifPresent(r -> put(fact + "_mean", window.level(r)));
        }
    }

    private void level(String fact, String mean, String peak) {
        Optional<Row> row = row(fact);
        put(mean, row.map(window::level).orElseGet(() -> missing(fact)));
        put(peak, row.map(window::peak).orElseGet(() -> missing(fact)));
    }

    private void vllm() {
        Found steps = row("iteration_tokens").map(r -> window.delta(r.name() + "_count", r.labels()))
                .orElseGet(() -> missing("iteration_tokens"));
        put("steps", steps);
        put("decode_rows_per_step", counter("generation_tokens").over(steps, 1));
    }

    private void assay() {
        Found steps = counter("steps");
        Found all = delta("assay:step_seconds_total", Map.of());
        Found idle = delta("assay:step_seconds_total", Map.of("stage", "idle"));
        Found busy = all.value().isEmpty()
                ? all
                : Found.of(all.value().getAsDouble() - idle.value().orElse(0), all.note() + " but idle");
        put("steps", steps);
        put("decode_rows_per_step", counter("decode_rows").over(steps, 1));
        put("weight_bytes_per_step", delta("assay:weight_bytes_total", Map.of()).over(steps, 1));
        put("kv_bytes_per_step", delta("assay:kv_read_bytes_total", Map.of()).over(steps, 1));
        put("step_time_ms", busy.over(steps, MS));
        Map<String, String> decode = Map.of("kind", "decode");
        put("decode_step_time_ms", delta("assay:step_kind_seconds_total", decode)
                .over(delta("assay:steps_total", decode), MS));
        put("engine_busy_share", busy.over(Found.of(window.seconds(), "the slot's time"), 1));
        put("gemm_share", delta("assay:step_seconds_total", Map.of("stage", "gemm")).over(busy, 1));
        put("attention_share", delta("assay:step_seconds_total", Map.of("stage", "attention")).over(busy, 1));
        for (String reason : List.of("cap", "pages", "budget")) {
            put("wait_" + reason, delta("assay:admission_waits_total", Map.of("reason", reason)));
        }
        window.after().sum("assay:resident_weight_bytes").ifPresent(
                v -> put("resident_weight_bytes", Found.of(v, "assay:resident_weight_bytes")));
    }

    private void llamaCpp() {
        Found steps = counter("steps");
        Found generated = counter("generation_tokens");
        put("steps", steps);
        put("tokens_per_step", counter("prompt_tokens").plus(generated).over(steps, 1));
        put("decode_rows_per_step", busySlots().over(steps, 1));
        put("itl_mean_ms", counter("decode_seconds").over(generated, MS));
    }

    /** The gauge is the mean since the server's start: the window's sum is the difference of mean × count. */
    private Found busySlots() {
        Optional<Row> mean = row("busy_slots");
        Optional<Row> count = row("steps");
        if (mean.isEmpty() || count.isEmpty()) {
            return missing("busy_slots");
        }
        Found steps = counter("steps");
        if (steps.value().isEmpty()) {
            return steps;
        }
        double to = window.after().sum(mean.get().name()).orElse(0)
                * window.after().sum(count.get().name()).orElse(0);
        double from = window.before().sum(mean.get().name()).orElse(0)
                * window.before().sum(count.get().name()).orElse(0);
        return Found.of(to - from, mean.get().name());
    }

    private Optional<Row> row(String fact) {
        return window.present(MetricNames.table().rows(server, fact));
    }

    private Found counter(String fact) {
        return row(fact).filter(r -> r.kind() == Kind.COUNTER).map(r -> window.delta(r.name(), r.labels()))
                .orElseGet(() -> missing(fact));
    }

    private Found histogram(String fact, double factor) {
        return row(fact).map(r -> window.mean(r.name(), r.labels(), factor)).orElseGet(() -> missing(fact));
    }

    private Found delta(String name, Map<String, String> labels) {
        return window.delta(name, labels);
    }

    private Found missing(String fact) {
        List<Row> rows = MetricNames.table().rows(server, fact);
        return Found.absent(rows.isEmpty()
                ? server + " has no metric for it"
                : "the page has no " + rows.stream().map(Row::title).collect(Collectors.joining(" or ")));
    }

    /** A later value or reason takes the place of an earlier one. */
    private void put(String name, Found found) {
        if (found.value().isPresent()) {
            values.put(name, found.value().getAsDouble());
            sources.put(name, found.note());
            absent.remove(name);
        } else if (!values.containsKey(name)) {
            absent.put(name, found.note());
        }
    }
}
