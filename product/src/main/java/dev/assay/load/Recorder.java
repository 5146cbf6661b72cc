package dev.assay.load;

import dev.assay.workload.MetricsAccumulator;
import dev.assay.workload.RequestOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What becomes of a run's outcomes in bounded memory: all of them go into the metrics and, where wanted, to the disk;
 * every k-th is kept for the validity checks, with k = 1 until there are more than {@link #KEPT}.
 */
public final class Recorder implements Consumer<RequestOutcome> {
    /** Outcomes kept for the checks at most; a systematic sample of this size tells a trend as well as all do. */
    static final int KEPT = 20_000;

    private final MetricsAccumulator metrics;
    private final Optional<RequestParts> parts;
    private List<RequestOutcome> kept = new ArrayList<>();
    private int each = 1;
    private long seen;

    /**
     * @param metrics takes every outcome
     * @param parts writes every outcome, where the requests are to be kept
     */
    public Recorder(MetricsAccumulator metrics, Optional<RequestParts> parts) {
        this.metrics = metrics;
        this.parts = parts;
    }

    @Override
    public void accept(RequestOutcome outcome) {
        metrics.add(outcome);
        parts.ifPresent(p -> p.add(outcome));
        if (seen++ % each == 0) {
            kept.add(outcome);
            if (kept.size() > KEPT) {
                thin();
            }
        }
    }

    private void thin() {
        List<RequestOutcome> half = new ArrayList<>(KEPT);
        for (int i = 0; i < kept.size(); i += 2) {
            half.add(kept.get(i));
        }
        kept = half;
        each *= 2;
    }

    /** The run with what was kept of its outcomes. */
    public LoadRun of(LoadRun run) {
        return run.sampled(kept.stream().sorted(Comparator.comparingInt(o -> o.request().id())).toList(),
                each);
    }
}
