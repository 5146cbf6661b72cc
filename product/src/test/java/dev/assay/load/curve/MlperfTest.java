package dev.assay.load.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.stats.EarlyStopping;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Outcomes;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MlperfTest {
    /** Oracle: loadgen/mlperf.conf of mlcommons/inference at b66003e1 (reference/measurement.md section 3). */
    @ParameterizedTest
    @CsvSource({"llama2-70b-server, 2000, 200", "llama2-70b-interactive, 450, 40",
            "llama3.1-8b-server, 2000, 100", "llama3.1-8b-interactive, 500, 30",
            "llama3.1-405b-server, 6000, 175", "llama3.1-405b-interactive, 4500, 80",
            "mixtral-8x7b-server, 2000, 200", "deepseek-r1-server, 2000, 80",
            "deepseek-r1-interactive, 1500, 15",
            "gpt-oss-120b-server, 3000, 80", "gpt-oss-120b-interactive, 2000, 15",
            "gpt-oss-120b-interactive-rules, 2000, 20"})
    void theLimitsAreThoseOfTheFile(String name, double ttft, double tpot) {
        Mlperf preset = Mlperf.named(name);
        assertThat(preset.slo().ttftMs()).hasValue(ttft);
        assertThat(preset.slo().tpotMs()).hasValue(tpot);
        assertThat(preset.source()).contains("mlperf.conf");
        assertThat(preset.date()).matches("\\d{4}-\\d{2}-\\d{2}");
        assertThat(preset.minQueries()).isEqualTo(EarlyStopping.floor(preset.percentile()));
    }

    @Test
    void aConflictOfTheSourcesIsShownAndAWrongNameListsAll() {
        assertThat(Mlperf.named("gpt-oss-120b-interactive").note()).contains("15 ms").contains("20 ms");
        assertThat(Mlperf.named("QWEN3-VL-235B-server").slo().e2eMs()).hasValue(12_000);
        assertThatThrownBy(() -> Mlperf.named("bert")).isInstanceOf(AssayException.class)
                .hasMessageContaining("llama3.1-8b-server");
    }

    /** n requests of two tokens, TTFT 10 ms, TPOT 5 ms; the first {@code slow} have a TTFT of 100 ms. */
    private static List<RequestOutcome> run(int n, int slow) {
        List<RequestOutcome> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            long first = i < slow ? 100 : 10;
            all.add(Outcomes.completed(i, 1000L * i, 1000L * i + first, 1000L * i + first + 5));
        }
        return all;
    }

    /** Oracle: the table of minimum queries at p99: 0 over needs 459, 1 needs 662, 2 needs 838. */
    @ParameterizedTest
    @CsvSource({"459, 0, true", "458, 0, false", "662, 1, true", "661, 1, false", "838, 2, true",
            "837, 2, false"})
    void thePercentileRuleIsEarlyStopping(int n, int slow, boolean met) {
        PercentileRule rule = PercentileRule.of(run(n, slow), Slo.parse("ttft:50,tpot:10"), 0.99);
        assertThat(rule.metrics()).extracting(PercentileRule.Bound::metric).containsExactly("ttft", "tpot");
        assertThat(rule.metrics().getFirst().met()).isEqualTo(met);
        assertThat(rule.metrics().getFirst().over()).isEqualTo(slow);
        assertThat(rule.met()).isEqualTo(met);
    }

    @Test
    void failuresAreOverEveryBound() {
        List<RequestOutcome> all = new ArrayList<>(run(661, 0));
        all.add(Outcomes.failed(661, 0, FailureClass.RESET));
        PercentileRule rule = PercentileRule.of(all, Slo.parse("ttft:50,tpot:10"), 0.99);
        assertThat(rule.metrics()).allMatch(b -> b.over() == 1 && b.met());
        all.add(Outcomes.failed(662, 0, FailureClass.RESET));
        assertThat(PercentileRule.of(all, Slo.parse("ttft:50"), 0.99).words())
                .contains("838 requests needed");
    }
}
