package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
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
    void readsWhatTheFormatsAllowAndNothingElse() {
        MetricsSnapshot s = at(0, """
                \t spaced  {  a = "1" }  7\t1700000000
                {"quoted name","dotted.label"="v"} 8
                esc{a="x\\\\n",b="\\q"} 9
                hex 0x1p4
                neg -inf
                upper +INF
                suffix 1f
                empty{} 2
                novalue{a="1"}
                text many
                exemplar_bucket{le="0.1"} 5 # {trace_id="a } b"} 0.067 1520879607.789
                utf8{dir="C:\\\\träume"} 3
                # EOF
                late 1
                """);
        assertThat(s.sum("spaced", Map.of("a", "1"))).hasValue(7);
        assertThat(s.sum("quoted name", Map.of("dotted.label", "v"))).hasValue(8);
        assertThat(s.sum("esc", Map.of("a", "x\\n", "b", "\\q"))).hasValue(9);
        assertThat(s.sum("hex")).hasValue(16);
        assertThat(s.sum("neg")).hasValue(Double.NEGATIVE_INFINITY);
        assertThat(s.sum("upper")).hasValue(Double.POSITIVE_INFINITY);
        assertThat(s.sum("empty")).hasValue(2);
        assertThat(s.sum("exemplar_bucket")).hasValue(5);
        assertThat(s.sum("utf8", Map.of("dir", "C:\\träume"))).hasValue(3);
        assertThat(s.values().keySet()).extracting(MetricsSnapshot.Series::name)
                .doesNotContain("suffix", "novalue", "text", "late");
    }

    @Test
    void aPageThatWasCutLosesItsLastValueOnly() {
        assertThat(at(0, "a 1\nb 12").values()).containsOnlyKeys(
                new MetricsSnapshot.Series("a", Map.of()));
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
    void theTimeOfDecodeStepsIsTheirsAlone() {
        // 30 decode steps took 0.6 s, so 20 ms each, whatever the mixed ones took.
        MetricsSnapshot before = at(0, """
                assay:steps_total{kind="decode"} 10
                assay:steps_total{kind="mixed"} 1
                assay:step_kind_seconds_total{kind="decode"} 1
                assay:step_kind_seconds_total{kind="mixed"} 5
                """);
        MetricsSnapshot after = at(1, """
                assay:steps_total{kind="decode"} 40
                assay:steps_total{kind="mixed"} 9
                assay:step_kind_seconds_total{kind="decode"} 1.6
                assay:step_kind_seconds_total{kind="mixed"} 9
                """);
        assertThat(Telemetry.between(before, after, List.of()).get("decode_step_time_ms"))
                .isCloseTo(20, within(1e-9));
    }

    @Test
    void levelsAreWeightedByTime() {
        // 0 to 2 over one second (area 1), 2 to 8 over three seconds (area 15): 16 / 4. A plain mean would be 3.3.
        List<MetricsSnapshot> during = List.of(at(0, "vllm:num_requests_running 0\n"),
                at(1, "vllm:num_requests_running 2\n"), at(4, "vllm:num_requests_running 8\n"));
        Map<String, Double> t = Telemetry.between(during.getFirst(), during.getLast(), during);
        assertThat(t).containsEntry("running_mean", 4.0).containsEntry("running_max", 8.0);
    }

    /** Records that were made before scrapes were timed must still give the figures that their journals hold. */
    @Test
    void anEarlyRecordGivesTheNamesAndMeansOfItsTime() {
        List<MetricsPage> during = List.of(new MetricsPage(0, List.of("vllm:num_requests_running 0.0")),
                new MetricsPage(1, List.of("vllm:num_requests_running 2.0")),
                new MetricsPage(4, List.of("vllm:num_requests_running 7.0")));
        MetricsPage page = new MetricsPage(0, List.of("vllm:generation_tokens_total 5.0",
                "vllm:request_success_total 1.0"));
        MetricsSampler.Recorded early = new MetricsSampler.Recorded(Optional.of(page), during,
                Optional.of(page), Optional.empty(), Optional.empty(),
                Optional.empty());
        assertThat(early.telemetry()).containsOnly(Map.entry("running_mean", 3.0),
                Map.entry("generation_tokens", 0.0));
    }

    @Test
    void sharesOfSeveralEnginesAreAveragedAndRequestsAdded() {
        MetricsSnapshot page = at(0, """
                vllm:num_requests_running{engine="0"} 3
                vllm:num_requests_running{engine="1"} 5
                vllm:kv_cache_usage_perc{engine="0"} 0.2
                vllm:kv_cache_usage_perc{engine="1"} 0.6
                """);
        Map<String, Double> t = Telemetry.between(page, page, List.of(page));
        assertThat(t).containsEntry("running_mean", 8.0).containsEntry("kv_cache_usage_peak", 0.6);
        assertThat(t.get("kv_cache_usage_mean")).isCloseTo(0.4, within(1e-12));
    }

    @Test
    void whatRanksRepeatAndPrioritiesSplitCountsOnce() {
        MetricsSnapshot page = at(0, """
                sglang:num_running_reqs{dp_rank="0",tp_rank="0",pp_rank="0",priority=""} 4
                sglang:num_running_reqs{dp_rank="0",tp_rank="0",pp_rank="0",priority="1"} 3
                sglang:num_running_reqs{dp_rank="0",tp_rank="0",pp_rank="0",priority="2"} 1
                sglang:num_running_reqs{dp_rank="0",tp_rank="1",pp_rank="0",priority=""} 4
                sglang:num_running_reqs{dp_rank="1",tp_rank="2",pp_rank="0",priority=""} 6
                """);
        assertThat(Telemetry.between(page, page, List.of(page))).containsEntry("running_mean", 10.0);
    }

    @Test
    void aRestartLeavesNoDifferenceHoweverFarTheCountersRose() {
        String page = """
                vllm:generation_tokens_total{engine="0"} %s
                vllm:generation_tokens_created{engine="0"} %s
                vllm:num_requests_running{engine="0"} 1
                """;
        MetricsSnapshot before = at(0, page.formatted("500", "1.7e9"));
        Telemetry.Account anew = account(before, at(9, page.formatted("900", "1.70001e9")));
        assertThat(anew.values()).doesNotContainKey("generation_tokens").containsKey("running_mean");
        assertThat(anew.absent().get("generation_tokens")).contains("vllm:generation_tokens_total")
                .contains("restarted");
        assertThat(account(before, at(9, page.formatted("900", "1.7e9"))).values())
                .containsEntry("generation_tokens", 400.0);
        Telemetry.Account seen = Telemetry
                .account(new MetricWindow(before, at(9, page.formatted("900", "1.7e9")),
                        List.of(), Set.of("vllm:generation_tokens_total")));
        assertThat(seen.absent().get("generation_tokens")).contains("fell during the slot");
        MetricsSnapshot started = at(0, "process_start_time_seconds 100\nvllm:prompt_tokens_total 1\n");
        MetricsSnapshot again = at(5, "process_start_time_seconds 104\nvllm:prompt_tokens_total 9\n");
        assertThat(account(started, again).absent().get("prompt_tokens")).contains("restarted");
        assertThat(MetricWindow.fallen(before, at(1, page.formatted("499", "1.7e9"))))
                .containsExactly("vllm:generation_tokens_total");
    }

    @Test
    void oneEngineOfTwoThatRestartedIsNoticedInTheSum() {
        MetricsSnapshot before = at(0, "vllm:prompt_tokens_total{engine=\"0\"} 10\n"
                + "vllm:prompt_tokens_total{engine=\"1\"} 90\n");
        MetricsSnapshot after = at(1, "vllm:prompt_tokens_total{engine=\"0\"} 500\n"
                + "vllm:prompt_tokens_total{engine=\"1\"} 5\n");
        assertThat(account(before, after).values()).doesNotContainKey("prompt_tokens");
    }

    @Test
    void speculationByVllmAndLlamaCpp() {
        for (String prefix : List.of("vllm:", "llamacpp:")) {
            String page = """
                    PREFIXspec_decode_num_drafts_total %s
                    PREFIXspec_decode_num_draft_tokens_total %s
                    PREFIXspec_decode_num_accepted_tokens_total %s
                    """.replace("PREFIX", prefix);
            Map<String, Double> t = Telemetry.between(at(0, page.formatted("0", "0", "0")),
                    at(1, page.formatted("100", "400", "150")), List.of());
            assertThat(t).containsEntry("spec_acceptance_rate", 0.375)
                    .containsEntry("spec_accepted_per_draft", 1.5);
            Telemetry.Account idle = account(at(0, page.formatted("1", "4", "2")),
                    at(1, page.formatted("1", "4", "2")));
            assertThat(idle.values()).doesNotContainKey("spec_acceptance_rate");
            assertThat(idle.absent().get("spec_acceptance_rate")).contains("did not rise");
        }
    }

    @Test
    void llamaCppCountsPromptTokensWithoutThoseFromItsCache() {
        MetricsSnapshot before = at(0,
                "llamacpp:prompt_tokens_total 10\nllamacpp:prompt_tokens_cached_total 0\n");
        MetricsSnapshot after = at(1,
                "llamacpp:prompt_tokens_total 40\nllamacpp:prompt_tokens_cached_total 90\n");
        assertThat(Telemetry.between(before, after, List.of())).containsEntry("prefix_hit_share", 0.75)
                .containsEntry("prompt_tokens", 30.0);
    }

    @Test
    void theOtherServersByTheirNames() {
        Map<String, Double> sglang = change("""
                sglang:num_queue_reqs{model_name="m"} 2
                sglang:token_usage{model_name="m"} 0.5
                sglang:prompt_tokens_total{model_name="m",is_streaming="true"} %1$s000
                sglang:cached_tokens_total{model_name="m",cache_source="device"} %1$s00
                sglang:num_retracted_requests_total{model_name="m"} %1$s
                sglang:inter_token_latency_seconds_sum{model_name="m"} %1$s
                sglang:inter_token_latency_seconds_count{model_name="m"} %1$s00
                """);
        assertThat(sglang).containsEntry("waiting_mean", 2.0).containsEntry("kv_cache_usage_peak", 0.5)
                .containsEntry("prefix_hit_share", 0.1).containsEntry("preemptions", 2.0)
                .containsEntry("itl_mean_ms", 10.0);
        Map<String, Double> tgi = change("""
                tgi_queue_size 3
                tgi_batch_current_size 5
                tgi_request_generated_tokens_sum %1$s00
                tgi_request_queue_duration_sum %1$s
                tgi_request_queue_duration_count %1$s0
                """);
        assertThat(tgi).containsEntry("waiting_mean", 3.0).containsEntry("running_mean", 5.0)
                .containsEntry("generation_tokens", 200.0).containsEntry("server_queue_mean_ms", 100.0);
        Map<String, Double> trt = change("""
                trtllm_num_requests_running{model_name="m",engine_type="trtllm"} 6
                trtllm_kv_cache_utilization{model_name="m",engine_type="trtllm"} 0.62
                trtllm_kv_cache_reused_blocks_total{model_name="m",engine_type="trtllm"} %1$s
                trtllm_kv_cache_missed_blocks_total{model_name="m",engine_type="trtllm"} %1$s
                """);
        assertThat(trt).containsEntry("running_mean", 6.0).containsEntry("kv_cache_usage_mean", 0.62)
                .containsEntry("prefix_hit_share", 0.5);
        Map<String, Double> dynamo = change("""
                dynamo_frontend_queued_requests{model="m"} 1
                dynamo_frontend_inflight_requests{model="m"} 9
                dynamo_frontend_output_tokens_total{model="m"} %1$s00
                dynamo_frontend_time_to_first_token_seconds_sum{model="m"} %1$s
                dynamo_frontend_time_to_first_token_seconds_count{model="m"} %1$s0
                """);
        assertThat(dynamo).containsEntry("running_mean", 9.0).containsEntry("generation_tokens", 200.0)
                .containsEntry("server_ttft_mean_ms", 100.0);
        Map<String, Double> triton = change("""
                nv_trt_llm_request_metrics{model="t",request_type="waiting"} 4
                nv_trt_llm_request_metrics{model="t",request_type="scheduled"} 7
                nv_trt_llm_request_metrics{model="t",request_type="max"} 64
                """);
        assertThat(triton).containsEntry("waiting_mean", 4.0).containsEntry("running_mean", 7.0);
    }

    /** From 1 to 3 in the places of the page. */
    private static Map<String, Double> change(String page) {
        return Telemetry.between(at(0, page.formatted("1")), at(2, page.formatted("3")), List.of());
    }

    private static Telemetry.Account account(MetricsSnapshot before, MetricsSnapshot after) {
        return Telemetry.account(new MetricWindow(before, after, List.of(), Set.of()));
    }

    @Test
    void eachValueNamesItsMetricAndEachGapItsReason() {
        MetricsSnapshot page = at(0, "tgi_queue_size 3\n");
        Telemetry.Account account = account(page, page);
        assertThat(account.server()).hasValue("tgi");
        assertThat(account.sources()).containsEntry("waiting_mean", "tgi_queue_size");
        assertThat(account.absent()).containsEntry("kv_cache_usage_mean", "tgi has no metric for it")
                .containsEntry("running_mean", "the page has no tgi_batch_current_size");
        assertThat(account.values().keySet()).doesNotContainAnyElementsOf(account.absent().keySet());
    }

    /** A page that a real vLLM wrote after 200 requests of 32 tokens each; absolute figures are those on the page. */
    @Test
    void aRealPageOfVllm() throws IOException {
        Path file = shared("data/results/vllm/metrics.txt");
        Assumptions.assumeTrue(Files.exists(file), "skipped: the shared data is not here");
        MetricsSnapshot after = at(100, Files.readString(file));
        // Before: the same series at 0, as the page of a server that has just been started.
        MetricsSnapshot before = new MetricsSnapshot(0, after.values().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey,
                        e -> e.getKey().name().endsWith("_created")
                                || e.getKey().name().startsWith("process_") ? e.getValue() : 0.0)));
        Map<String, Double> t = Telemetry.between(before, after, List.of());
        assertThat(t).containsEntry("prompt_tokens", 12806.0).containsEntry("generation_tokens", 6400.0)
                .containsEntry("requests_finished", 200.0).containsEntry("steps", 4494.0)
                .containsEntry("preemptions", 0.0).containsEntry("prefix_hit_share", 0.0)
                .containsEntry("running_mean", 0.0).containsEntry("kv_cache_usage_peak", 0.0);
        assertThat(t.get("tokens_per_step")).isCloseTo(19206.0 / 4494, within(1e-9));
        assertThat(t.get("itl_mean_ms")).isCloseTo(34.624111627003 / 6200 * 1e3, within(1e-9));
        assertThat(t.get("server_ttft_mean_ms")).isCloseTo(5.561209440231323 / 200 * 1e3, within(1e-9));
        assertThat(t.get("server_queue_mean_ms")).isCloseTo(1.1609855389979202 / 200 * 1e3, within(1e-9));
    }

    /** A file of the folder {@code shared} beside this repository or one of its parents. */
    private static Path shared(String name) {
        Path here = Path.of("").toAbsolutePath();
        while (here.getParent() != null && !Files.isDirectory(here.resolve("shared/data"))) {
            here = here.getParent();
        }
        return here.resolve("shared").resolve(name);
    }

    @Test
    void aCounterThatFellHasNoDifferenceAndAnUnknownServerNoAccount() {
        MetricsSnapshot before = at(0, "vllm:num_requests_running 1\nvllm:generation_tokens_total 500\n");
        MetricsSnapshot after = at(1, "vllm:num_requests_running 1\nvllm:generation_tokens_total 5\n");
        assertThat(Telemetry.between(before, after, List.of())).doesNotContainKey("generation_tokens");
        assertThat(Telemetry.between(at(0, "x 1\n"), at(1, "x 2\n"), List.of())).isEmpty();
    }
}
