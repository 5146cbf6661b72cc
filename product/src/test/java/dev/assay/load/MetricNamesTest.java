package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of names as a whole. */
class MetricNamesTest {
    @Test
    void everyRowHasItsSourceAndNoTwoAreTheSame() {
        Set<String> seen = new HashSet<>();
        for (MetricNames.Row row : MetricNames.table().rows()) {
            assertThat(row.source()).as(row.title()).isNotBlank().doesNotContain("/work/");
            assertThat(row.versions()).as(row.title()).isNotBlank();
            assertThat(seen.add(row.server() + row.fact() + row.title())).as(row.title()).isTrue();
        }
        assertThat(MetricNames.table().rows()).extracting(MetricNames.Row::server).contains("assay", "vllm",
                "sglang", "tgi", "llama.cpp", "tensorrt-llm", "triton", "dynamo");
    }

    @Test
    void aWorkerBehindDynamoIsReadByItsEngine() {
        MetricsSnapshot page = new MetricsSnapshot(0, MetricsText.parse("""
                dynamo_component_requests_total 1
                dynamo_component_gpu_cache_usage_percent 0.5
                vllm:num_requests_running 1
                """));
        assertThat(MetricNames.table().server(page)).hasValue("vllm");
    }
}
