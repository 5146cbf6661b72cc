package dev.assay.load;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A server's own account of a slot in names that do not depend on the engine; what an engine does not report is absent.
 *
 * <p>From counters, by difference over the slot: {@code steps}, {@code decode_rows_per_step}, {@code tokens_per_step},
 * {@code step_time_ms} (engine time a step, idle left out), {@code decode_step_time_ms} (steps without prefill),
 * {@code weight_bytes_per_step}, {@code kv_bytes_per_step}, {@code preemptions}, {@code prefix_hit_share},
 * {@code prompt_tokens}, {@code generation_tokens}, {@code itl_mean_ms} (Δsum/Δcount, as bucket quantiles are too
 * coarse), {@code engine_busy_share}, {@code gemm_share}, {@code attention_share}, {@code wait_cap}, {@code wait_pages},
 * {@code wait_budget}. From gauges, polled: {@code running_mean}, {@code waiting_mean}, {@code kv_cache_usage_peak},
 * {@code resident_weight_bytes}.
 */
public final class Telemetry {
    private static final double MS = 1e3;

    /** The engines known, by a metric that only they have; names of mid-2026, older ones where they were renamed. */
    private enum Dialect {
        ASSAY("assay:steps_total"), VLLM("vllm:num_requests_running"), LLAMA_CPP(
                "llamacpp:n_decode_total"), UNKNOWN("");

        private final String mark;

        Dialect(String mark) {
            this.mark = mark;
        }

        static Dialect of(MetricsSnapshot snapshot) {
            for (Dialect d : values()) {
                if (snapshot.sum(d.mark).isPresent()) {
                    return d;
                }
            }
            return UNKNOWN;
        }
    }

    private Telemetry() {}

    /** The account between two scrapes, with those taken in between for the gauges. */
    public static Map<String, Double> between(MetricsSnapshot before, MetricsSnapshot after,
            List<MetricsSnapshot> during) {
        Map<String, Double> out = new TreeMap<>();
        Window window = new Window(before, after, out);
        switch (Dialect.of(after)) {
            case ASSAY -> {
                common(window, "assay:");
                assay(window);
            }
            case VLLM -> {
                common(window, "vllm:");
                window.put("steps", window.delta("vllm:iteration_tokens_total_count"));
                window.ratio("decode_rows_per_step", window.delta("vllm:generation_tokens_total"),
                        window.delta("vllm:iteration_tokens_total_count"), 1);
            }
            case LLAMA_CPP -> llamaCpp(window);
            case UNKNOWN -> {
            }
        }
        gauges(during.isEmpty() ? List.of(before, after) : during, out);
        after.sum("assay:resident_weight_bytes").ifPresent(v -> out.put("resident_weight_bytes", v));
        return out;
    }

    private static void common(Window w, String prefix) {
        w.put("prompt_tokens", w.delta(prefix + "prompt_tokens_total"));
        w.put("generation_tokens", w.delta(prefix + "generation_tokens_total"));
        w.put("preemptions", w.delta(prefix + "num_preemptions_total"));
        w.ratio("prefix_hit_share",
                w.either(prefix + "prefix_cache_hits_total", prefix + "gpu_prefix_cache_hits_total"),
                w.either(prefix + "prefix_cache_queries_total", prefix + "gpu_prefix_cache_queries_total"),
                1);
        w.ratio("tokens_per_step", w.delta(prefix + "iteration_tokens_total_sum"),
                w.delta(prefix + "iteration_tokens_total_count"), 1);
        // Before the rename, vLLM called the token-weighted latency time_per_output_token.
        w.ratio("itl_mean_ms",
                w.either(prefix + "inter_token_latency_seconds_sum",
                        prefix + "time_per_output_token_seconds_sum"),
                w.either(prefix + "inter_token_latency_seconds_count",
                        prefix + "time_per_output_token_seconds_count"),
                MS);
    }

    private static void assay(Window w) {
        OptionalDouble steps = w.delta("assay:steps_total");
        OptionalDouble all = w.delta("assay:step_seconds_total");
        OptionalDouble idle = w.delta("assay:step_seconds_total", Map.of("stage", "idle"));
        OptionalDouble busy = all.isEmpty() ? all : OptionalDouble.of(all.getAsDouble() - idle.orElse(0));
        w.put("steps", steps);
        w.ratio("decode_rows_per_step", w.delta("assay:decode_rows_total"), steps, 1);
        w.ratio("weight_bytes_per_step", w.delta("assay:weight_bytes_total"), steps, 1);
        w.ratio("kv_bytes_per_step", w.delta("assay:kv_read_bytes_total"), steps, 1);
        w.ratio("step_time_ms", busy, steps, MS);
        Map<String, String> decode = Map.of("kind", "decode");
        w.ratio("decode_step_time_ms", w.delta("assay:step_kind_seconds_total", decode),
                w.delta("assay:steps_total", decode), MS);
        w.ratio("engine_busy_share", busy, OptionalDouble.of(w.seconds()), 1);
        w.ratio("gemm_share", w.delta("assay:step_seconds_total", Map.of("stage", "gemm")), busy, 1);
        w.ratio("attention_share", w.delta("assay:step_seconds_total", Map.of("stage", "attention")), busy,
                1);
        for (String reason : List.of("cap", "pages", "budget")) {
            w.put("wait_" + reason, w.delta("assay:admission_waits_total", Map.of("reason", reason)));
        }
    }

    private static void llamaCpp(Window w) {
        OptionalDouble steps = w.delta("llamacpp:n_decode_total");
        OptionalDouble prompt = w.delta("llamacpp:prompt_tokens_total");
        OptionalDouble generated = w.delta("llamacpp:tokens_predicted_total");
        w.put("steps", steps);
        w.put("prompt_tokens", prompt);
        w.put("generation_tokens", generated);
        if (prompt.isPresent() && generated.isPresent()) {
            w.ratio("tokens_per_step", OptionalDouble.of(prompt.getAsDouble() + generated.getAsDouble()),
                    steps, 1);
        }
        // The gauge is the mean since the server's start: the window's mean is the difference of mean × count.
        w.ratio("decode_rows_per_step",
                w.difference(w.before().sum("llamacpp:n_busy_slots_per_decode"),
                        w.before().sum("llamacpp:n_decode_total"),
                        w.after().sum("llamacpp:n_busy_slots_per_decode"),
                        w.after().sum("llamacpp:n_decode_total")),
                steps, 1);
        w.ratio("itl_mean_ms", w.delta("llamacpp:tokens_predicted_seconds_total"), generated, MS);
    }

    private static void gauges(List<MetricsSnapshot> during, Map<String, Double> out) {
        mean(during, out, "running_mean", "assay:num_requests_running", "vllm:num_requests_running",
                "llamacpp:requests_processing");
        mean(during, out, "waiting_mean", "assay:num_requests_waiting", "vllm:num_requests_waiting",
                "llamacpp:requests_deferred");
        during.stream().flatMap(s -> first(s, "assay:kv_cache_usage_perc", "vllm:kv_cache_usage_perc",
                "vllm:gpu_cache_usage_perc", "llamacpp:kv_cache_usage_ratio").stream().boxed())
                .max(Double::compare)
                .ifPresent(v -> out.put("kv_cache_usage_peak", v));
    }

    private static void mean(List<MetricsSnapshot> during, Map<String, Double> out, String name,
            String... series) {
        during.stream().flatMapToDouble(s -> first(s, series).stream()).average()
                .ifPresent(v -> out.put(name, v));
    }

    private static OptionalDouble first(MetricsSnapshot snapshot, String... names) {
        for (String name : names) {
            OptionalDouble value = snapshot.sum(name);
            if (value.isPresent()) {
                return value;
            }
        }
        return OptionalDouble.empty();
    }

    /** Two scrapes and where their differences go. A counter that fell (the server was restarted) has no difference. */
    private record Window(MetricsSnapshot before, MetricsSnapshot after, Map<String, Double> out) {
        double seconds() {
            return (after.nanos() - before.nanos()) / 1e9;
        }

        OptionalDouble delta(String name) {
            return delta(name, Map.of());
        }

        OptionalDouble delta(String name, Map<String, String> labels) {
            OptionalDouble to = after.sum(name, labels);
            // A labelled series may first appear within the slot; then it began at 0.
            double from = before.sum(name, labels).orElse(0);
            return to.isEmpty() || to.getAsDouble() < from
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(to.getAsDouble() - from);
        }

        OptionalDouble either(String name, String older) {
            OptionalDouble value = delta(name);
            return value.isPresent() ? value : delta(older);
        }

        OptionalDouble difference(OptionalDouble a0, OptionalDouble b0, OptionalDouble a1,
                OptionalDouble b1) {
            return a1.isEmpty() || b1.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(a1.getAsDouble() * b1.getAsDouble() - a0.orElse(0) * b0.orElse(0));
        }

        void put(String name, OptionalDouble value) {
            value.ifPresent(v -> out.put(name, v));
        }

        void ratio(String name, OptionalDouble over, OptionalDouble under, double factor) {
            if (over.isPresent() && under.isPresent() && under.getAsDouble() > 0) {
                out.put(name, over.getAsDouble() / under.getAsDouble() * factor);
            }
        }
    }
}
