package dev.assay.cli;

import dev.assay.load.LoadOptions;
import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Three lines on a terminal that follow a run and are redrawn in place; they vanish when the run is over. */
final class LiveView implements Consumer<RequestOutcome> {
    private static final int WIDTH = 79;
    private static final double NANOS_PER_S = 1e9;
    private static final double LAG_DOUBT_MS = 5;

    private final PrintWriter out;
    private final OptionalInt total;
    private final OptionalLong lastingNanos;
    private final Map<String, Slo> slos;
    private final boolean withSlo;
    private final LiveHistogram ttft = new LiveHistogram();
    private final LiveHistogram tpot = new LiveHistogram();
    private final LiveHistogram lag = new LiveHistogram();
    private long good;
    private long ended;
    private String lastFailure = "";
    private boolean drawn;

    /**
     * @param total requests of the run, empty where that is not known
     * @param lastingNanos for how long requests are sent, where that ends the run
     */
    LiveView(PrintWriter out, OptionalInt total, OptionalLong lastingNanos, Map<String, Slo> slos,
            boolean withSlo) {
        this.out = out;
        this.total = total;
        this.lastingNanos = lastingNanos;
        this.slos = Map.copyOf(slos);
        this.withSlo = withSlo;
    }

    @Override
    public void accept(RequestOutcome o) {
        ended++;
        if (!o.completed()) {
            lastFailure = o.failure().orElseThrow().name().toLowerCase(Locale.ROOT) + ", " + o.detail();
        }
        Metrics.PerRequest m = Metrics.perRequest(o);
        m.ttftMs().ifPresent(ttft::add);
        m.tpotMs().ifPresent(tpot::add);
        o.sentNanos().ifPresent(s -> lag.add((s - o.request().arrivalNanos()) / 1e6));
        if (withSlo && Metrics.good(o, slos.getOrDefault(o.request().requestClass(), Slo.none()))) {
            good++;
        }
    }

    void show(LoadOptions.Progress p) {
        StringBuilder text = new StringBuilder();
        if (drawn) {
            text.append("\u001b[3A");
        }
        drawn = true;
        for (String line : lines(p)) {
            text.append("\r\u001b[2K").append(line.length() > WIDTH ? line.substring(0, WIDTH) : line)
                    .append('\n');
        }
        out.print(text);
        out.flush();
    }

    /** The three lines at this point of the run. */
    List<String> lines(LoadOptions.Progress p) {
        double elapsed = Math.max(1e-3, p.elapsedNanos() / NANOS_PER_S);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT,
                "%6.1f s  %.2f requests/s  %.1f tokens/s  %d in flight  %d%s done%s",
                elapsed, p.finished() / elapsed, p.tokenEvents() / elapsed, p.inFlight(), p.finished(),
                total.isPresent() ? "/" + total.getAsInt() : "", left(p, elapsed)));
        lines.add(String.format(Locale.ROOT, "  TTFT p50 %s p99 %s ms   TPOT p50 %s p99 %s ms%s",
                ttft.text(0.5),
                ttft.text(0.99), tpot.text(0.5), tpot.text(0.99), withSlo && ended > 0
                        ? String.format(Locale.ROOT, "   SLO met %.1f %%", 100.0 * good / ended)
                        : ""));
        lines.add(doubts(p));
        return lines;
    }

    private String left(LoadOptions.Progress p, double elapsed) {
        double seconds = lastingNanos.isPresent()
                ? lastingNanos.getAsLong() / NANOS_PER_S - elapsed
                : total.isPresent() && p.finished() > 0
                        ? (total.getAsInt() - p.finished()) * elapsed / p.finished()
                        : Double.NaN;
        return Double.isNaN(seconds) ? "" : String.format(Locale.ROOT, "  %.0f s left", Math.max(0, seconds));
    }

    private String doubts(LoadOptions.Progress p) {
        if (p.failed() > 0) {
            return "  ! " + p.failed() + " failed; last: " + lastFailure;
        }
        double late = lag.quantile(0.99);
        return late > LAG_DOUBT_MS
                ? String.format(Locale.ROOT, "  ! requests are sent late: schedule lag p99 %.1f ms", late)
                : "";
    }

    /** Removes the lines. */
    void clear() {
        if (drawn) {
            out.print("\u001b[3A\r\u001b[J");
            out.flush();
        }
    }
}
