package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pages in the wire format of each engine; expected values worked by hand. */
class TelemetryTest {
    private static MetricsSnapshot at(double seconds, String page) {
        return new MetricsSnapshot((long) (seconds * 1e9), MetricsText.parse(page));
    }

    @Test
    void readsThePrometheusFormat() {
        MetricsSnapshot s = at(0, """
                # HELP a some text
                # TYPE a counter
                a_total{x="1",y="q\\"\\\\ \\n}"} 3 1700000000
                a_total{ x="2" , y="z", } 4.5e0
                b NaN
                c +Inf # {trace="x"} 1
                broken{x="1 7
                h_bucket{le="+Inf"} 9
                # EOF
                """);
        assertThat(s.sum("a_total")).hasValue(7.5);
        assertThat(s.sum("a_total", Map.of("y", "q\"\\ \n}"))).hasValue(3);
        assertThat(s.sum("b")).isEmpty();
        assertThat(s.sum("c")).hasValue(Double.POSITIVE_INFINITY);
        assertThat(s.sum("h_bucket", Map.of("le", "+Inf"))).hasValue(9);
        assertThat(s.values()).hasSize(4);
    }

    @Test
    void vllmByItsWireNames() {
        String page = """
                vllm:num_requests_running{engine="0"} %s
                vllm:num_requests_waiting{engine="0"} 1.0
                vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 1.0
                vllm:kv_cache_usage_perc{engine="0"} 0.25
                vllm:prefix_cache_queries_total{engine="0"} %s
                vllm:prefix_cache_hits_total{engine="0"} %s
                vllm:num_preemptions_total{engine="0"} %s
                vllm:generation_tokens_total{engine="0"} %s
                vllm:prompt_tokens_total{engine="0"} %s
                vllm:iteration_tokens_total_bucket{engine="0",le="1.0"} 5
                vllm:iteration_tokens_total_sum{engine="0"} %s
                vllm:iteration_tokens_total_count{engine="0"} %s
                vllm:inter_token_latency_seconds_sum{engine="0"} %s
                vllm:inter_token_latency_seconds_count{engine="0"} %s
                """;
        MetricsSnapshot before = at(1,
                page.formatted("2", "100", "10", "1", "50", "100", "150", "20", "1.0", "40"));
        MetricsSnapshot after = at(3,
                page.formatted("4", "300", "60", "4", "250", "300", "550", "70", "2.5", "190"));
        Map<String, Double> t = Telemetry.between(before, after, List.of(before, after));
        assertThat(t).containsEntry("steps", 50.0).containsEntry("decode_rows_per_step", 4.0)
                .containsEntry("tokens_per_step", 8.0).containsEntry("prefix_hit_share", 0.25)
                .containsEntry("preemptions", 3.0).containsEntry("running_mean", 3.0)
                .containsEntry("waiting_mean", 1.0)
                .containsEntry("kv_cache_usage_peak", 0.25).containsEntry("prompt_tokens", 200.0)
                .containsEntry("generation_tokens", 200.0).doesNotContainKey("gemm_share");
        assertThat(t.get("itl_mean_ms")).isCloseTo(10.0, within(1e-9));
    }

    @Test
    void vllmBeforeItsRenamings() {
        MetricsSnapshot before = at(0, "vllm:num_requests_running 1\nvllm:gpu_cache_usage_perc 0.5\n"
                + "vllm:time_per_output_token_seconds_sum 1\nvllm:time_per_output_token_seconds_count 10\n");
        MetricsSnapshot after = at(1, "vllm:num_requests_running 1\nvllm:gpu_cache_usage_perc 0.75\n"
                + "vllm:time_per_output_token_seconds_sum 3\nvllm:time_per_output_token_seconds_count 110\n");
        Map<String, Double> t = Telemetry.between(before, after, List.of());
        assertThat(t.get("itl_mean_ms")).isCloseTo(20.0, within(1e-9));
        assertThat(t).containsEntry("kv_cache_usage_peak", 0.75).doesNotContainKey("steps");
    }

    @Test
    void llamaCppMeansOverItsLifetimeBecomeTheWindows() {
        // 100 decodes of 2 rows before; 400 in all of mean 3.5: the window's 300 decodes had (1400 - 200) / 300 = 4 rows.
        MetricsSnapshot before = at(0, "llamacpp:n_decode_total 100\nllamacpp:n_busy_slots_per_decode 2\n"
                + "llamacpp:tokens_predicted_total 200\nllamacpp:tokens_predicted_seconds_total 1\nllamacpp:prompt_tokens_total 10\n");
        MetricsSnapshot after = at(1, "llamacpp:n_decode_total 400\nllamacpp:n_busy_slots_per_decode 3.5\n"
                + "llamacpp:tokens_predicted_total 1400\nllamacpp:tokens_predicted_seconds_total 4\nllamacpp:prompt_tokens_total 310\n"
                + "llamacpp:requests_processing 4\nllamacpp:requests_deferred 0\n");
        Map<String, Double> t = Telemetry.between(before, after, List.of());
        assertThat(t).containsEntry("steps", 300.0).containsEntry("decode_rows_per_step", 4.0)
                .containsEntry("tokens_per_step", 5.0).containsEntry("itl_mean_ms", 2.5)
                .containsEntry("running_mean", 4.0);
    }

    @Test
    void ourEngineByStageAndKind() {
        MetricsSnapshot before = at(10, """
                assay:steps_total{kind="decode"} 10
                assay:steps_total{kind="mixed"} 0
                assay:step_seconds_total{stage="gemm"} 1
                assay:step_seconds_total{stage="idle"} 1
                """);
        MetricsSnapshot after = at(20, """
                assay:steps_total{kind="decode"} 100
                assay:steps_total{kind="mixed"} 10
                assay:step_seconds_total{stage="gemm"} 4
                assay:step_seconds_total{stage="attention"} 1
                assay:step_seconds_total{stage="emit"} 1
                assay:step_seconds_total{stage="idle"} 6
                assay:decode_rows_total 400
                assay:weight_bytes_total 1000
                assay:admission_waits_total{reason="cap"} 7
                assay:resident_weight_bytes 5000
                """);
        Map<String, Double> t = Telemetry.between(before, after, List.of());
        assertThat(t).containsEntry("steps", 100.0).containsEntry("step_time_ms", 50.0)
                .containsEntry("decode_rows_per_step", 4.0).containsEntry("weight_bytes_per_step", 10.0)
                .containsEntry("engine_busy_share", 0.5).containsEntry("gemm_share", 0.6)
                .containsEntry("attention_share", 0.2).containsEntry("wait_cap", 7.0)
                .containsEntry("resident_weight_bytes", 5000.0)
                .doesNotContainKeys("wait_pages", "decode_step_time_ms");
    }

    @Test
    void aCounterThatFellHasNoDifferenceAndAnUnknownServerNoAccount() {
        MetricsSnapshot before = at(0, "vllm:num_requests_running 1\nvllm:generation_tokens_total 500\n");
        MetricsSnapshot after = at(1, "vllm:num_requests_running 1\nvllm:generation_tokens_total 5\n");
        assertThat(Telemetry.between(before, after, List.of())).doesNotContainKey("generation_tokens");
        assertThat(Telemetry.between(at(0, "x 1\n"), at(1, "x 2\n"), List.of())).isEmpty();
    }
}
