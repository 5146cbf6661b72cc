package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.Ceiling;
import dev.assay.load.Probe;
import dev.assay.load.ServerWarmup;
import dev.assay.load.Target;
import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurveRunner;
import dev.assay.load.curve.CurveSlot;
import dev.assay.load.curve.LoadSearch;
import dev.assay.load.curve.Mlperf;
import dev.assay.load.curve.SearchSettings;
import dev.assay.load.curve.ServerSlots;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Calibration;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay curve}: the operating curve of a server and the highest load that meets an SLO. */
@Command(name = "curve", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, description = "Finds the highest load at which a server meets an SLO, and measures the curve around it.", footer = {
        "", "Examples:", "  assay curve --url http://127.0.0.1:8000 --slo ttft:250,tpot:12",
        "  assay curve --url http://127.0.0.1:8000 --slo ttft:250,tpot:12 \\",
        "      --loads 1,2,4,8 --out curve1",
        "  assay curve --url http://127.0.0.1:8000 --mlperf llama3.1-8b-server", "",
        "Exit codes: 0 done, 2 misuse, 3 not bracketed or a slot that stayed invalid, 4 environment fault."})
public final class CurveCommand implements Callable<Integer> {
    private static final double NANOS = 1e9;
    private static final double MLPERF_TARGET = 0.99;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final TargetOptions server = new TargetOptions();

    @Option(names = "--slo", paramLabel = "LIST", description = "Bounds in ms that make a request good: ttft:250,tpot:12,e2e:4000.")
    private @Nullable String slo;

    @Option(names = "--attainment", paramLabel = "SHARE", description = "Share of requests that must be good (default 0.95; 0.99 with --mlperf).")
    private @Nullable Double attainment;

    @Option(names = "--mlperf", paramLabel = "NAME", description = "Limits and percentile rule of an MLPerf scenario, such as llama3.1-8b-server.")
    private @Nullable String mlperf;

    @Option(names = "--loads", paramLabel = "LIST", description = "Measure these loads, requests/s, and search nothing.")
    private @Nullable String loads;

    @Option(names = "--start", paramLabel = "R", defaultValue = "1", description = "Load to begin the search with (default ${DEFAULT-VALUE}).")
    private double start = 1;

    @Option(names = "--max-load", paramLabel = "R", description = "Never offer more (default 1024 times --start).")
    private @Nullable Double maxLoad;

    @Option(names = "--requests", paramLabel = "N", defaultValue = "130", description = "Requests of each point of the curve; 130 support a p95 (default ${DEFAULT-VALUE}).")
    private int requests = 130;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "20", description = "At most so many slots for the search (default ${DEFAULT-VALUE}).")
    private int slots = 20;

    @Option(names = "--slot-seconds", paramLabel = "MIN,MAX", defaultValue = "4,60", description = "Bounds on one slot's length (default ${DEFAULT-VALUE}).")
    private String slotSeconds = "4,60";

    @Option(names = "--warmup-seconds", paramLabel = "S", defaultValue = "30", description = "Warm up until the test passes, at most so long; 0 for none (default ${DEFAULT-VALUE}).")
    private double warmupSeconds = 30;

    @Option(names = "--warmup-streams", paramLabel = "N", defaultValue = "8", description = "Streams of the warm-up (default ${DEFAULT-VALUE}).")
    private int warmupStreams = 8;

    @Option(names = "--input-tokens", paramLabel = "DIST", defaultValue = "64", description = "N, uniform:MIN,MAX or lognormal:MEDIAN,SIGMA,MIN,MAX (default ${DEFAULT-VALUE}).")
    private String inputTokens = "64";

    @Option(names = "--output-tokens", paramLabel = "DIST", defaultValue = "32", description = "As above (default ${DEFAULT-VALUE}).")
    private String outputTokens = "32";

    @Option(names = "--workload", paramLabel = "PRESET|FILE", description = "A preset (chat, code, chat-small, code-small), a workload file or a trace.")
    private @Nullable String workload;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of arrivals, lengths and prompts (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--time-limit", paramLabel = "S", defaultValue = "60", description = "Seconds that one request may take (default ${DEFAULT-VALUE}).")
    private double timeLimit = 60;

    @Option(names = "--out", paramLabel = "DIR", description = "Write curve.json and curve.txt there.")
    private @Nullable Path out;

    @Option(names = "--json", description = "Print the curve as one JSON document.")
    private boolean json;

    /**
     * The document of {@code --json}.
     *
     * @param slo bounds of each request
     * @param mlperf the preset, where one was chosen
     * @param warmUp how the server was warmed, absent where it was not
     */
    record Document(String server, String model, String workload, long seed, Slo slo, Optional<Mlperf> mlperf,
            Optional<ServerWarmup> warmUp, Optional<Ceiling> ceiling, Curve curve) {}

    @Override
    public Integer call() {
        Optional<Mlperf> preset = mlperf == null ? Optional.empty() : Optional.of(Mlperf.named(mlperf));
        Slo bounds = bounds(preset);
        List<Double> seconds = NumberList.of("--slot-seconds", slotSeconds, Double.MAX_VALUE);
        if (seconds.size() != 2 || seconds.get(1) < seconds.get(0) || !(timeLimit > 0) || requests < 8) {
            throw AssayException.misuse("--slot-seconds is '" + slotSeconds + "', --time-limit " + timeLimit
                    + ", --requests " + requests + "; expected MIN,MAX, more than 0, and at least 8");
        }
        LoadSearch search = search(preset, seconds.get(1) / (1 + ServerSlots.LEAD_IN));
        Target target = server.target();
        WorkloadSpec requested = workload == null
                ? WorkloadSpec.of(LengthDistribution.parse(inputTokens),
                        LengthDistribution.parse(outputTokens))
                : WorkloadSpec.presetOrFile(workload);
        Optional<Ceiling> ceiling = Ceiling.ofThisUser();
        ServerSlots source = new ServerSlots(target, requested,
                Probe.calibrate(target).orElse(Calibration.ASSUMED), requested.slos(bounds), bounds, seed,
                seconds.get(0), seconds.get(1), Math.round(timeLimit * NANOS), preset.map(Mlperf::percentile),
                ceiling, new ArrivalLaw.Poisson());
        Optional<ServerWarmup> warmUp = warmUp(source);
        CurveRunner runner = new CurveRunner(search, source, this::tell);
        Curve curve = loads == null
                ? runner.find(CurveRunner.AROUND, requests)
                : runner.given(NumberList.of("--loads", loads, Double.MAX_VALUE), requests);
        Document document = new Document(target.baseUrl().toString(), target.model(), requested.name(), seed,
                bounds, preset, warmUp, ceiling, curve);
        print(document);
        return loads == null && !curve.found().bracketed()
                || curve.slots().stream().anyMatch(s -> !s.valid() && s.purpose().equals("repeat"))
                        ? Exit.EVIDENCE
                        : Exit.DONE;
    }

    private Slo bounds(Optional<Mlperf> preset) {
        if ((slo == null) == preset.isEmpty()) {
            throw AssayException.misuse("give --slo ttft:250,tpot:12 or --mlperf NAME; expected one of them");
        }
        return slo == null ? preset.orElseThrow().slo() : Slo.parse(slo);
    }

    private LoadSearch search(Optional<Mlperf> preset, double slotSeconds) {
        double target = attainment != null ? attainment : preset.isPresent() ? MLPERF_TARGET : 0.95;
        try {
            SearchSettings settings = SearchSettings.of(start, target).withSlots(slots)
                    .withSlotSeconds(slotSeconds);
            if (maxLoad != null) {
                settings = settings.within(Math.min(settings.least(), maxLoad), maxLoad);
            }
            return new LoadSearch(settings);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("--start, --max-load, --attainment or --slots: " + e.getMessage());
        }
    }

    private Optional<ServerWarmup> warmUp(ServerSlots source) {
        if (!(warmupSeconds > 0)) {
            return Optional.empty();
        }
        ServerWarmup warm = source.warm(Math.max(1, warmupStreams), 0, Math.round(warmupSeconds * NANOS));
        progress(warm.detail());
        return Optional.of(warm);
    }

    private void tell(CurveSlot slot) {
        progress(CurveText.line(slot));
    }

    /** One line a slot for somebody who waits at a terminal; nothing elsewhere. */
    private void progress(String line) {
        if (!json && Terminal.interactive() && spec != null) {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        }
    }

    private void print(Document document) {
        String text = CurveText.of(document);
        String pretty = Json.pretty(document);
        if (out != null) {
            for (Map.Entry<String, String> file : Map.of("curve.json", pretty, "curve.txt", text)
                    .entrySet()) {
                write(out, file.getKey(), file.getValue());
            }
        }
        if (spec == null) {
            throw new IllegalStateException("picocli sets the command before it calls it");
        }
        PrintWriter printer = spec.commandLine().getOut();
        printer.print(json ? pretty : text);
        printer.flush();
    }

    private static void write(Path directory, String name, String text) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw AssayException.environment(directory + ": not written: " + e.getMessage(), e);
        }
    }
}
