package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurvePlan;
import dev.assay.load.curve.CurveRunner;
import dev.assay.load.curve.CurveSlot;
import dev.assay.load.curve.LoadSearch;
import dev.assay.load.curve.SearchSettings;
import dev.assay.load.curve.SlotSize;
import dev.assay.load.curve.TimeNeeded;
import dev.assay.stats.ShareEstimate;
import dev.assay.workload.RunSummary;
import dev.assay.workload.RunSummary.Spread;
import dev.assay.workload.Slo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The text of whole, stopped and empty curves of a made-up server whose limit is 9/s. */
class CurveTextTest {
    private static final SlotSize SIZE = new SlotSize(4, 60);

    private static CurvePlan plan() {
        return CurvePlan.around(new LoadSearch(SearchSettings.of(4, 0.95)), CurveRunner.AROUND, 130);
    }

    private static CurveSlot slot(int number, String purpose, double load, int n) {
        boolean over = load > 9;
        double ttft = over ? 900 : 20 + load;
        RunSummary summary = new RunSummary(new RunSummary.Requests(n, n, Map.of()),
                Optional.of(new Spread(n, ttft, ttft, 2 * ttft, 3 * ttft, 4 * ttft)), Optional.empty(),
                Optional.of(new Spread(n, load, load, load, load, load)), Optional.empty(), Optional.empty(),
                new RunSummary.Throughput(load, 32 * load), OptionalDouble.of(over ? 0 : load),
                OptionalDouble.empty(), Optional.empty(), n / load, List.of());
        // The server tells of its queue only, as llama-server does, and of its pool in one slot.
        Map<String, Double> told = number == 2
                ? Map.of("running_mean", load / 2, "running_max", 8.0, "kv_cache_usage_peak", 0.125)
                : Map.of("running_mean", load / 2, "running_max", 8.0, "waiting_mean", over ? 31.25 : 0.0);
        return new CurveSlot(number, purpose, load, n / 3, n / load,
                ShareEstimate.of(over ? 0 : n, n, 1, 0.95),
                load / 4, over, List.of(), summary, Optional.empty(), Optional.empty(), told,
                Optional.empty());
    }

    private static String text(int stopAfter) {
        int[] measured = {0};
        Curve curve = new CurveRunner((number, purpose, load, n) -> {
            measured[0]++;
            return Optional.of(slot(number, purpose, load, n));
        }, (_, _) -> {
        }, () -> measured[0] > stopAfter ? Optional.of("stopped by the user") : Optional.empty()).run(plan());
        return CurveText.of(new CurveCommand.Document("http://127.0.0.1:8000", Optional.empty(), "tiny",
                "lengths", 1, Slo.parse("ttft:250,tpot:12"), Optional.empty(),
                TimeNeeded.of(plan(), SIZE, 60_000_000_000L, 30), Optional.empty(), Optional.empty(), curve));
    }

    private static void golden(String name, String text) throws IOException {
        assertThat(text.lines()).allMatch(line -> line.length() <= 80);
        Path file = Path.of(System.getProperty("assay.root", ".."),
                "product/src/test/resources/dev/assay/cli/" + name);
        if (Boolean.getBoolean("assay.golden.write")) {
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }

    @Test
    void aWholeCurve() throws IOException {
        golden("curve.txt", text(Integer.MAX_VALUE));
    }

    @Test
    void aCurveThatWasStopped() throws IOException {
        golden("curve-cut.txt", text(3));
    }

    @Test
    void aCurveThatWasStoppedBeforeItsFirstSlot() {
        assertThat(text(0)).contains("CUT SHORT  stopped by the user in slot 1, bracket at 4.00/s",
                "not decided", "0 slots in 0 s").doesNotContain("load/s ", "validity");
    }

    @Test
    void theTimeIsToldInOneLineAndItsLimitsWithIt() {
        TimeNeeded time = new TimeNeeded(44.4, 55, 131, 1474, 23, Optional.of(2.667));
        assertThat(CurveText.needed(time, 0)).isEqualTo("likely 44 s to 2 min 11 s; at most 24 min 34 s (23"
                + " slots, each to its limits); longer if loads below 2.7/s must be tried");
        assertThat(CurveText.needed(time, 3.49)).endsWith(String.format(
                "%nslots as short as these show no load below 3.5/s to meet the SLO"));
    }
}
