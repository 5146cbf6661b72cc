package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.load.Ceiling;
import dev.assay.load.Gate;
import dev.assay.load.GateInputs;
import dev.assay.load.Recorder;
import dev.assay.load.RequestParts;
import dev.assay.load.RoundTrip;
import dev.assay.workload.MetricsAccumulator;
import dev.assay.workload.Schedule;
import dev.assay.workload.Slo;
import dev.assay.json.Json;
import dev.assay.load.LoadGenerator;
import dev.assay.load.LoadOptions;
import dev.assay.load.LoadRun;
import dev.assay.load.MetricsSampler;
import dev.assay.load.Probe;

import dev.assay.load.ServerWarmup;
import dev.assay.load.Target;
import dev.assay.load.curve.Mlperf;

import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.Metrics;

import dev.assay.workload.RunSummary;
import dev.assay.workload.Trace;
import dev.assay.workload.TraceFit;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.WorkloadSpec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay load}: puts a server under load and prints what came back. */
@Command(name = "load", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, description = "Puts a model server under load; latency counts from each request's scheduled time.", footer = {
        "", "Examples:",
        "  assay load --url http://127.0.0.1:8000 --rate 4 --duration 30 \\",
        "      --slo ttft:250,tpot:12",
        "  assay load --url http://127.0.0.1:8000 --concurrency 8 --requests 200 \\",
        "      --input-tokens 64 --output-tokens 32",
        "  assay load --url http://127.0.0.1:8000 --workload chat-small --rate 2 \\",
        "      --requests 400 --out run1 --json",
        "  assay load --url http://127.0.0.1:8000 --workload trace.jsonl \\",
        "      --arrival trace --speed 2",
        "  assay load --fit AzureLLMInferenceTrace_conv.csv", "",
        "Exit codes: 0 done, 2 misuse, 3 a validity check failed, 4 environment fault.",
        "An API key is read from the environment variable ASSAY_API_KEY, else OPENAI_API_KEY."})
public final class LoadCommand implements Callable<Integer> {
    private static final double NANOS_PER_S = 1e9;
    private static final int WARMUP_STREAMS = 8;
    /** Keeps the warm-up's prompts apart from those that count. */
    private static final long WARMUP_SEEDS = 7_368_787;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final TargetOptions server = new TargetOptions();

    @Mixin
    private final WorkloadOptions load = new WorkloadOptions();

    @Option(names = "--time-limit", paramLabel = "S", defaultValue = "120", description = "Seconds that one request may take (default ${DEFAULT-VALUE}).")
    private double timeLimit = 120;

    @Option(names = "--warmup-seconds", paramLabel = "S", defaultValue = "0", description = "First warm the server up until its requests settle, at most so long (default: not at all).")
    private double warmupSeconds;

    @Option(names = "--mlperf", paramLabel = "NAME", description = "Limits and percentile rule of an MLPerf scenario, such as llama3.1-8b-server, instead of --slo.")
    private @Nullable String mlperf;

    @Option(names = "--out", paramLabel = "DIR", description = "Write requests.parquet (a long run: requests/part-*.parquet) and summary.json there.")
    private @Nullable Path out;

    @Option(names = "--json", description = "Print the summary as one JSON document.")
    private boolean json;

    @Option(names = "--energy-url", paramLabel = "URL", description = "Page of a DCGM exporter: energy of the GPUs on it, such as http://gpu-host:9400/metrics.")
    private @Nullable String energyUrl;

    @Option(names = "--self-test", description = "Measure this machine's ceiling and timing error against a built-in null server, and end.")
    private boolean selfTest;

    @Option(names = "--self-test-seconds", paramLabel = "S", defaultValue = "3", description = "Length of each phase of the self-test (default ${DEFAULT-VALUE}).")
    private double selfTestSeconds = 3;

    @Option(names = "--fit", paramLabel = "FILE", description = "Print the length distributions nearest to a trace, and end.")
    private @Nullable Path fit;

    @Override
    public Integer call() {
        if (fit != null) {
            printFit(fit);
            return 0;
        }
        if (selfTest) {
            return selfTest();
        }
        Optional<Mlperf> preset = Optional.ofNullable(mlperf).map(Mlperf::named);
        WorkloadSpec workload = load.spec();
        Arrivals arrivals = load.arrivals(workload);
        Extent extent = load.extent(arrivals);
        LoadOptions options = options(arrivals, extent);
        Target target = server.target();
        Calibration calibration = Probe.calibrate(target).orElse(Calibration.ASSUMED);
        Schedule schedule = workload.requests(arrivals, extent, load.seed(), calibration);
        Map<String, Slo> slos = preset.map(p -> workload.slos(p.slo())).orElse(load.slos(workload));
        boolean bounded = preset.isPresent() || load.hasSlo(workload);
        Optional<ServerWarmup> warmUp = warm(target, workload, calibration);
        MetricsAccumulator metrics = Metrics.accumulator(slos);
        LiveView live = new LiveView(errors(), schedule.size(), lasting(extent), slos, bounded);
        boolean watched = !json && Terminal.interactive();
        Optional<RequestParts> parts = Optional.ofNullable(out).map(RequestParts::new);
        try (CutShort cut = new CutShort(); RequestParts writing = parts.orElse(null)) {
            Recorder recorder = new Recorder(metrics, parts);
            Map<String, Double> telemetry;
            Optional<RoundTrip> before = RoundTrip.measure(target.baseUrl(), target.apiKey());
            LoadRun run;
            try (MetricsSampler sampler = MetricsSampler.start(target.baseUrl(), target.apiKey(),
                    Optional.ofNullable(energyUrl).map(Target::parse))) {
                LoadOptions recorded = options.withSink(watched ? recorder.andThen(live) : recorder);
                run = recorder.of(LoadGenerator.run(target, schedule,
                        watched ? recorded.withProgress(live::show) : recorded));
                telemetry = sampler.finish();
            } finally {
                live.clear();
            }
            GateInputs inputs = GateInputs.of(before, RoundTrip.measure(target.baseUrl(), target.apiKey()),
                    Ceiling.ofThisUser());
            List<ValidityCheck> checks = new ArrayList<>(Gate.check(run,
                    new Gate.Context(arrivals.openLoop(), target.exactLengths(), telemetry, inputs)));
            warmUp.ifPresent(w -> checks.add(w.check()));
            if (cut.asked()) {
                checks.add(new ValidityCheck("cut-short", ValidityCheck.Status.FAIL,
                        String.format(Locale.ROOT,
                                "stopped by the user after %.1f s; what was in flight is cancelled",
                                run.windowNanos() / NANOS_PER_S)));
            }
            RunSummary summary = metrics.summary(run.windowNanos(), checks)
                    .withHeadroom(Gate.headroom(run, inputs));
            if (writing != null) {
                writing.finish();
                writeSummary(summary);
            }
            PrintWriter printer = printer();
            printer.print(json
                    ? Json.pretty(summary)
                    : LoadReport.text(summary, target, bounded, telemetry)
                            + preset.map(p -> CurveText.verdict(p, run.outcomes())).orElse(""));
            printer.flush();
            return checks.stream().anyMatch(c -> c.status() == ValidityCheck.Status.FAIL)
                    ? Exit.EVIDENCE
                    : Exit.DONE;
        }
    }

    private int selfTest() {
        if (!(selfTestSeconds > 0)) {
            throw AssayException.misuse(
                    "--self-test-seconds is " + selfTestSeconds + "; expected seconds, more than 0");
        }
        SelfTestRun.Document result = SelfTestRun.run(selfTestSeconds, Optional.ofNullable(out), line -> {
            if (!json && Terminal.interactive()) {
                errors().println("  " + line);
                errors().flush();
            }
        });
        printer().print(json ? Json.pretty(result) : SelfTestRun.text(result));
        printer().flush();
        return Exit.DONE;
    }

    private static OptionalLong lasting(Extent extent) {
        return switch (extent) {
            case Extent.Count _ -> OptionalLong.empty();
            case Extent.Lasting lasting -> OptionalLong.of(lasting.nanos());
        };
    }

    private Optional<ServerWarmup> warm(Target target, WorkloadSpec workload, Calibration sizing) {
        return warmupSeconds > 0
                ? Optional.of(
                        ServerWarmup.run(target, WARMUP_STREAMS, 0, Math.round(warmupSeconds * NANOS_PER_S),
                                chunk -> workload.schedule(new Arrivals.ClosedLoop(WARMUP_STREAMS),
                                        new Extent.Count(ServerWarmup.chunkSize(WARMUP_STREAMS)),
                                        load.seed() + WARMUP_SEEDS * (chunk + 1), sizing)))
                : Optional.empty();
    }

    private LoadOptions options(Arrivals arrivals, Extent extent) {
        if (!(timeLimit > 0)) {
            throw AssayException.misuse("--time-limit is " + timeLimit + "; expected seconds, more than 0");
        }
        long limit = Math.round(timeLimit * NANOS_PER_S);
        if (!(arrivals instanceof Arrivals.ClosedLoop loop)) {
            return LoadOptions.openLoop().withTimeLimit(limit);
        }
        LoadOptions options = LoadOptions.closedLoop(loop.concurrency()).withTimeLimit(limit)
                .withThink(id -> loop.thinkNanos(load.seed(), (int) id));
        return extent instanceof Extent.Lasting lasting ? options.withStopSending(lasting.nanos()) : options;
    }

    private void writeSummary(RunSummary summary) {
        Path file = Path.of(String.valueOf(out), "summary.json");
        try {
            Files.writeString(file, Json.pretty(summary));
        } catch (IOException e) {
            throw AssayException.environment(file + ": not written: " + e.getMessage(), e);
        }
    }

    private void printFit(Path file) {
        Trace trace = Trace.read(file);
        PrintWriter printer = printer();
        fitLine(printer, trace, "input ", Trace.Row::inputTokens);
        fitLine(printer, trace, "output", Trace.Row::outputTokens);
        printer.flush();
    }

    private static void fitLine(PrintWriter printer, Trace trace, String side,
            ToIntFunction<Trace.Row> length) {
        TraceFit nearest = TraceFit.of(trace.rows().stream().mapToInt(length).toArray());
        printer.printf(Locale.ROOT, "%s %s  (%d requests, Kolmogorov distance %.3f)%n", side, nearest.text(),
                nearest.n(),
                nearest.distance());
    }

    private PrintWriter printer() {
        return commandLine().getOut();
    }

    private PrintWriter errors() {
        return commandLine().getErr();
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("picocli sets the command before it calls it");
        }
        return spec.commandLine();
    }
}
