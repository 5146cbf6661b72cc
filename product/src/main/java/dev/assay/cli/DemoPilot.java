package dev.assay.cli;

import dev.assay.load.LoadGenerator;
import dev.assay.load.LoadOptions;
import dev.assay.load.LoadRun;
import dev.assay.load.Probe;
import dev.assay.load.ServerCommand;
import dev.assay.load.ServerProcess;
import dev.assay.load.Target;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Metrics;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import java.util.List;
import java.util.Optional;

/**
 * What an author finds out before writing a proposal: how much the baseline completes with every slot taken, and how
 * fast one stream runs alone, so that the load points straddle the knee of this machine.
 */
final class DemoPilot {
    static final String INPUT = "lognormal:24,0.5,8,64";
    static final String OUTPUT = "lognormal:24,0.4,8,48";
    private static final long SECOND = 1_000_000_000L;
    private static final long SEED = 99;

    private DemoPilot() {}

    /** Requests per second with every slot taken, TPOT then, and TPOT of a stream alone, in milliseconds. */
    record Figures(double capacityRps, double fullTpotMs, double aloneTpotMs) {}

    static Figures run(DemoChange change, boolean quick) {
        try (PassingFile log = PassingFile.log("assay-pilot")) {
            return measured(ServerCommand.of(change.baselineCommand()).start(log.path()), change, quick);
        }
    }

    private static Figures measured(ServerProcess server, DemoChange change, boolean quick) {
        try {
            server.awaitReady(60 * SECOND);
            Target target = Target.of(server.url().toString(), Probe.model(server.url(), Optional.empty()));
            Calibration sizing = Probe.calibrate(target).orElse(Calibration.ASSUMED);
            long second = quick ? SECOND * 2 / 3 : SECOND;
            closed(target, sizing, change.baselineCap(), 2 * second);
            RunSummary full = closed(target, sizing, change.baselineCap(), 3 * second);
            RunSummary alone = closed(target, sizing, 1, 3 * second / 2);
            return new Figures(full.throughput().requestsPerS(), full.tpotMs().orElseThrow().p50(),
                    alone.tpotMs().orElseThrow().p50());
        } finally {
            server.stop(5 * SECOND);
        }
    }

    private static RunSummary closed(Target target, Calibration sizing, int concurrency, long nanos) {
        WorkloadSpec spec = WorkloadSpec.of(LengthDistribution.parse(INPUT),
                LengthDistribution.parse(OUTPUT));
        LoadRun run = LoadGenerator.run(target,
                spec.schedule(new Arrivals.ClosedLoop(concurrency), new Extent.Count(5000), SEED, sizing),
                LoadOptions.closedLoop(concurrency).withStopSending(nanos));
        return Metrics.summarize(run.outcomes(), Slo.none(), run.windowNanos(), List.of());
    }
}
