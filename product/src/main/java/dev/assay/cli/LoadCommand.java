package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.LoadGenerator;
import dev.assay.load.LoadOptions;
import dev.assay.load.LoadRun;
import dev.assay.load.MetricsSampler;
import dev.assay.load.Probe;
import dev.assay.load.RequestLog;
import dev.assay.load.Target;
import dev.assay.load.Validity;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Metrics;
import dev.assay.workload.Request;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import dev.assay.workload.Trace;
import dev.assay.workload.TraceFit;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.WorkloadSpec;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay load}: puts a server under load and prints what came back. */
@Command(name = "load", mixinStandardHelpOptions = true, sortOptions = false, usageHelpWidth = 100, description = "Puts a model server under load; latency counts from each request's scheduled time.", footer = {
        "", "Examples:",
        "  assay load --url http://127.0.0.1:8000 --rate 4 --duration 30 --slo ttft:250,tpot:12",
        "  assay load --url http://127.0.0.1:8000 --concurrency 8 --requests 200 --input-tokens 64 --output-tokens 32",
        "  assay load --url http://127.0.0.1:8000 --workload chat-small --rate 2 --requests 400 --out run1 --json",
        "  assay load --fit AzureLLMInferenceTrace_conv.csv", "",
        "Exit codes: 0 done, 2 misuse, 3 a validity check failed, 4 environment fault.",
        "An API key is read from the environment variable ASSAY_API_KEY, else OPENAI_API_KEY."})
public final class LoadCommand implements Callable<Integer> {
    private static final int EXIT_INVALID = 3;
    private static final double NANOS_PER_S = 1e9;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final TargetOptions server = new TargetOptions();

    @Option(names = "--rate", paramLabel = "R", description = "Requests a second, Poisson arrivals (default 1).")
    private @Nullable Double rate;

    @Option(names = "--concurrency", paramLabel = "N", description = "A closed loop with N requests in flight instead.")
    private @Nullable Integer concurrency;

    @Option(names = "--requests", paramLabel = "N", description = "How many requests (default 100).")
    private @Nullable Integer requests;

    @Option(names = "--duration", paramLabel = "S", description = "For how many seconds requests arrive, instead.")
    private @Nullable Double duration;

    @Option(names = "--input-tokens", paramLabel = "DIST", defaultValue = "64", description = "N, uniform:MIN,MAX or lognormal:MEDIAN,SIGMA,MIN,MAX (default ${DEFAULT-VALUE}).")
    private String inputTokens = "64";

    @Option(names = "--output-tokens", paramLabel = "DIST", defaultValue = "32", description = "As above (default ${DEFAULT-VALUE}).")
    private String outputTokens = "32";

    @Option(names = "--workload", paramLabel = "PRESET|FILE", description = "Lengths of a preset (chat, code, chat-small, code-small) or a trace (Azure CSV, Mooncake JSONL).")
    private @Nullable String workload;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of arrivals, lengths and prompts (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--slo", paramLabel = "LIST", description = "Bounds in ms that make a request good: ttft:250,tpot:12,e2e:4000.")
    private @Nullable String slo;

    @Option(names = "--time-limit", paramLabel = "S", defaultValue = "120", description = "Seconds that one request may take (default ${DEFAULT-VALUE}).")
    private double timeLimit = 120;

    @Option(names = "--out", paramLabel = "DIR", description = "Write requests.parquet and summary.json there.")
    private @Nullable Path out;

    @Option(names = "--json", description = "Print the summary as one JSON document.")
    private boolean json;

    @Option(names = "--fit", paramLabel = "FILE", description = "Print the length distributions nearest to a trace, and end.")
    private @Nullable Path fit;

    @Override
    public Integer call() {
        if (fit != null) {
            printFit(fit);
            return 0;
        }
        Slo bounds = slo == null ? Slo.none() : Slo.parse(slo);
        WorkloadSpec spec = workload == null
                ? WorkloadSpec.of(LengthDistribution.parse(inputTokens),
                        LengthDistribution.parse(outputTokens))
                : WorkloadSpec.presetOrFile(workload);
        Arrivals arrivals = arrivals();
        Extent extent = extent();
        LoadOptions options = options(arrivals, extent);
        Target target = server.target();
        Optional<Calibration> calibration = Probe.calibrate(target);
        List<Request> schedule = spec.schedule(arrivals, extent, seed,
                calibration.orElse(Calibration.ASSUMED));
        Progress progress = new Progress(json ? -1 : schedule.size(), extent);
        Map<String, Double> telemetry;
        LoadRun run;
        try (MetricsSampler sampler = MetricsSampler.start(target.baseUrl(), target.apiKey())) {
            run = LoadGenerator.run(target, schedule,
                    progress.wanted() ? options.withProgress(progress::show) : options);
            telemetry = sampler.finish();
        }
        progress.clear();
        List<ValidityCheck> checks = Validity.check(run, arrivals instanceof Arrivals.Poisson, target.exactLengths(),
                telemetry);
        RunSummary summary = Metrics.summarize(run.outcomes(), bounds, run.windowNanos(), checks);
        save(run, summary);
        PrintWriter printer = printer();
        printer.print(json ? Json.pretty(summary) : LoadReport.text(summary, target, slo != null, telemetry));
        printer.flush();
        return checks.stream().anyMatch(c -> c.status() == ValidityCheck.Status.FAIL) ? EXIT_INVALID : 0;
    }

    private Arrivals arrivals() {
        if (rate != null && concurrency != null) {
            throw AssayException.misuse("--rate and --concurrency exclude each other; give one");
        }
        try {
            return concurrency == null
                    ? new Arrivals.Poisson(rate == null ? 1 : rate)
                    : new Arrivals.ClosedLoop(concurrency);
        } catch (IllegalArgumentException e) {
            throw AssayException
                    .misuse((concurrency == null ? "--rate: " : "--concurrency: ") + e.getMessage());
        }
    }

    private Extent extent() {
        if (requests != null && duration != null) {
            throw AssayException.misuse("--requests and --duration exclude each other; give one");
        }
        try {
            return duration == null
                    ? new Extent.Count(requests == null ? 100 : requests)
                    : new Extent.Lasting(Math.round(duration * NANOS_PER_S));
        } catch (IllegalArgumentException e) {
            throw AssayException
                    .misuse((duration == null ? "--requests: " : "--duration: ") + e.getMessage());
        }
    }

    private LoadOptions options(Arrivals arrivals, Extent extent) {
        if (!(timeLimit > 0)) {
            throw AssayException.misuse("--time-limit is " + timeLimit + "; expected seconds, more than 0");
        }
        long limit = Math.round(timeLimit * NANOS_PER_S);
        if (!(arrivals instanceof Arrivals.ClosedLoop loop)) {
            return LoadOptions.openLoop().withTimeLimit(limit);
        }
        LoadOptions options = LoadOptions.closedLoop(loop.concurrency()).withTimeLimit(limit);
        return extent instanceof Extent.Lasting lasting ? options.withStopSending(lasting.nanos()) : options;
    }

    private void save(LoadRun run, RunSummary summary) {
        if (out == null) {
            return;
        }
        try {
            Files.createDirectories(out);
            RequestLog.write(out.resolve("requests.parquet"), run.outcomes());
            Files.writeString(out.resolve("summary.json"), Json.pretty(summary));
        } catch (IOException e) {
            throw AssayException.environment(out + ": not written: " + e.getMessage(), e);
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
        if (spec == null) {
            throw new IllegalStateException("picocli sets the command before it calls it");
        }
        return spec.commandLine().getOut();
    }

    /** One line on a terminal's standard error that follows the run; nothing elsewhere. */
    private record Progress(int total, Extent extent) {
        boolean wanted() {
            return total >= 0
                    && Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
        }

        void show(LoadOptions.Progress p) {
            String of = total == Integer.MAX_VALUE ? "" : "/" + total;
            System.err.printf(Locale.ROOT,
                    "\r%5.1f s  %d%s sent, %d done, %d failed, %d in flight, %d token events ",
                    p.elapsedNanos() / NANOS_PER_S, p.sent(), of, p.finished(), p.failed(), p.inFlight(),
                    p.tokenEvents());
        }

        void clear() {
            if (wanted()) {
                System.err.print("\r" + " ".repeat(79) + "\r");
            }
        }
    }
}
