package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.load.LoadOptions;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Outcomes;
import dev.assay.workload.Percentiles;
import dev.assay.workload.Slo;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveViewTest {
    private final StringWriter terminal = new StringWriter();

    private LiveView view() {
        return new LiveView(new PrintWriter(terminal), OptionalInt.of(400), OptionalLong.empty(),
                Map.of("default", Slo.parse("ttft:25")), true);
    }

    private static LoadOptions.Progress progress(int finished, int failed) {
        return new LoadOptions.Progress(12_000_000_000L, finished + 5, finished, failed, 5, 900);
    }

    @Test
    void tellsRateProgressPercentilesAndAttainmentInEightyColumns() {
        LiveView view = view();
        view.accept(Outcomes.completed(0, 0, 20, 30, 40));
        view.accept(Outcomes.completed(1, 0, 30, 40, 50));
        List<String> lines = view.lines(progress(100, 0));
        assertThat(lines).hasSize(3).allMatch(line -> line.length() < 80);
        assertThat(lines.get(0)).contains("12.0 s", "8.33 requests/s", "75.0 tokens/s", "5 in flight",
                "100/400 done",
                "36 s left");
        assertThat(lines.get(1)).contains("TTFT p50", "TPOT p50", "SLO met 50.0 %");
        assertThat(lines.get(2)).isEmpty();
    }

    @Test
    void doubtsAreNamed() {
        LiveView view = view();
        view.accept(Outcomes.failed(0, 0, FailureClass.HTTP_5XX));
        assertThat(view.lines(progress(1, 1)).get(2)).contains("1 failed", "http_5xx, it failed");
    }

    @Test
    void isRedrawnInPlaceAndLeavesNothing() {
        LiveView view = view();
        view.clear();
        assertThat(terminal.toString()).as("nothing was drawn").isEmpty();
        view.show(progress(1, 0));
        view.show(progress(2, 0));
        view.clear();
        assertThat(terminal.toString().split("\u001b\\[3A", -1)).hasSize(3);
        assertThat(terminal.toString()).endsWith("\u001b[J");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void histogramIsWithinItsBucketOfTheSortedSample(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LiveHistogram histogram = new LiveHistogram();
        double[] sample = random.doubles(5000).map(u -> Math.exp(10 * u - 3)).toArray();
        Arrays.stream(sample).forEach(histogram::add);
        Arrays.sort(sample);
        for (double q : new double[]{0.5, 0.9, 0.99}) {
            double exact = Percentiles.ofSorted(sample, q);
            assertThat(histogram.quantile(q)).isCloseTo(exact, within(0.03 * exact));
        }
        assertThat(new LiveHistogram().text(0.5)).isEqualTo("-");
    }
}
