package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workload.FailureClass;
import dev.assay.workload.Outcomes;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ValidityTest {
    private static final LoadRun.ClientHealth CALM = new LoadRun.ClientHealth(0.1, 0.2, 0, 4, 4, 0);

    private static Map<String, Status> statuses(List<RequestOutcome> outcomes, LoadRun.ClientHealth client) {
        Map<String, Status> all = new java.util.TreeMap<>();
        for (ValidityCheck c : Validity.check(new LoadRun(0, 1_000_000_000L, outcomes, client), true, true,
                Map.of())) {
            all.put(c.check(), c.status());
        }
        return all;
    }

    /** Requests each 10 ms with this lag and service time in milliseconds. */
    private static List<RequestOutcome> run(int n, double lagGrowth, double serviceGrowth) {
        List<RequestOutcome> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            long at = 10L * i;
            RequestOutcome o = Outcomes.completed(i, at, at + 20 + (long) (serviceGrowth * i));
            all.add(new RequestOutcome(o.request(), OptionalLong.of((long) ((at + lagGrowth * i) * 1e6)),
                    o.firstByteNanos(), o.headersNanos(), o.firstAnswerNanos(), o.endNanos(),
                    o.contentNanos(), o.contentTokens(), o.outputTokens(),
                    false,
                    OptionalLong.empty(), OptionalLong.empty(), o.failure(), "", ""));
        }
        return all;
    }

    @Test
    void aCleanRunPassesAllThatCanBeChecked() {
        assertThat(statuses(run(400, 0, 0), CALM)).containsOnly(Map.entry("achieved-rate", Status.PASS),
                Map.entry("schedule-lag", Status.PASS), Map.entry("client-saturation", Status.PASS),
                Map.entry("error-share", Status.PASS), Map.entry("output-length", Status.PASS),
                Map.entry("prompt-tokens", Status.ABSENT), Map.entry("prefix-hits", Status.ABSENT),
                Map.entry("sample-count", Status.PASS), Map.entry("steady-state", Status.PASS));
    }

    @Test
    void aClientThatFallsBehindIsVoid() {
        Map<String, Status> s = statuses(run(400, 1, 0), new LoadRun.ClientHealth(0.9, 1, 0, 4, 4, 0));
        assertThat(s).containsEntry("achieved-rate", Status.FAIL).containsEntry("schedule-lag", Status.FAIL)
                .containsEntry("client-saturation", Status.FAIL);
    }

    @Test
    void aGrowingBacklogIsAWarningAndNotAFault() {
        assertThat(statuses(run(400, 0, 5), CALM)).containsEntry("steady-state", Status.WARN)
                .containsEntry("achieved-rate", Status.PASS);
    }

    @Test
    void failuresAndFewRequests() {
        List<RequestOutcome> few = new ArrayList<>(run(5, 0, 0));
        few.add(Outcomes.failed(5, 60, FailureClass.RESET));
        assertThat(statuses(few, CALM)).containsEntry("error-share", Status.FAIL)
                .containsEntry("sample-count", Status.FAIL);
        assertThat(statuses(run(72, 0, 0), CALM)).containsEntry("sample-count", Status.WARN);
        assertThat(statuses(run(367, 0, 0), CALM)).containsEntry("sample-count", Status.WARN);
        assertThat(statuses(run(368, 0, 0), CALM)).containsEntry("sample-count", Status.PASS);
    }

    @Test
    void armsWithOtherPathsOrCachesAreNotComparable() {
        Validity.Path near = new Validity.Path(OptionalDouble.of(0.0), OptionalLong.of(200_000));
        Validity.Path far = new Validity.Path(OptionalDouble.of(0.4), OptionalLong.of(2_290_000));
        Validity.Path dark = new Validity.Path(OptionalDouble.empty(), OptionalLong.empty());
        assertThat(Validity.compare(near, near)).extracting(ValidityCheck::status).containsOnly(Status.PASS);
        assertThat(Validity.compare(near, far)).extracting(ValidityCheck::status).containsOnly(Status.FAIL);
        assertThat(Validity.compare(near, dark)).extracting(ValidityCheck::status)
                .containsOnly(Status.ABSENT);
    }
}
