package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.Ceiling;
import dev.assay.load.Probe;
import dev.assay.load.ServerWarmup;
import dev.assay.load.Target;
import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurvePlan;
import dev.assay.load.curve.CurveRunner;
import dev.assay.load.curve.LoadSearch;
import dev.assay.load.curve.Mlperf;
import dev.assay.load.curve.SearchSettings;
import dev.assay.load.curve.ServerSlots;
import dev.assay.load.curve.SlotSize;
import dev.assay.load.curve.TimeNeeded;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Calibration;
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
import java.util.function.Supplier;
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
        "  assay curve --url http://127.0.0.1:8000 --mlperf llama3.1-8b-server",
        "  assay curve --command 'llama-server -m model.gguf --metrics --port {port}' \\",
        "      --slo ttft:500,tpot:60", "",
        "Exit codes: 0 done, 2 misuse, 3 not bracketed or a slot that stayed invalid,",
        "4 environment fault, 130 stopped by Ctrl-C: what was measured until then is",
        "printed and written."})
public final class CurveCommand implements Callable<Integer> {
    private static final double NANOS = 1e9;
    private static final double MLPERF_TARGET = 0.99;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Mixin
    private final ContentOptions content = new ContentOptions();

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

    @Option(names = "--time-limit", paramLabel = "S", defaultValue = "60", description = "Seconds that one request may take (default ${DEFAULT-VALUE}).")
    private double timeLimit = 60;

    @Option(names = "--out", paramLabel = "DIR", description = "Write curve.json and curve.txt there.")
    private @Nullable Path out;

    @Option(names = "--json", description = "Print the curve as one JSON document.")
    private boolean json;

    /**
     * The document of {@code --json}.
     *
     * @param command that started the server, where one did
     * @param slo bounds of each request
     * @param mlperf the preset, where one was chosen
     * @param timeNeeded as it was told before the start; {@code curve.seconds} is what the slots took
     * @param warmUp how the server was warmed, absent where it was not
     */
    record Document(String server, Optional<String> command, String model, String workload, long seed,
            Slo slo,
            Optional<Mlperf> mlperf, TimeNeeded timeNeeded, Optional<ServerWarmup> warmUp,
            Optional<Ceiling> ceiling, Curve curve) {}

    @Override
    public Integer call() {
        Optional<Mlperf> preset = mlperf == null ? Optional.empty() : Optional.of(Mlperf.named(mlperf));
        Slo bounds = bounds(preset);
        SlotSize size = size();
        LoadSearch search = search(preset, size.mostSeconds() / (1 + SlotSize.LEAD_IN));
        CurvePlan plan = loads == null
                ? CurvePlan.around(search, CurveRunner.AROUND, requests)
                : CurvePlan.given(search, NumberList.of("--loads", loads, Double.MAX_VALUE), requests);
        server.check();
        WorkloadSpec requested = content.spec();
        TimeNeeded needed = TimeNeeded.of(plan, size, limitNanos(), warmupSeconds);
        progress(CurveText.needed(needed, loads == null ? search.leastShown() : 0));
        try (CutShort cut = new CutShort();
                ServerOptions.Served served = server.serve(Optional.ofNullable(out).map(this::log))) {
            Supplier<Optional<String>> stopped = () -> cut.asked()
                    ? Optional.of("stopped by the user")
                    : served.died();
            Target target = served.ask(() -> server.target(served));
            Optional<Ceiling> ceiling = Ceiling.ofThisUser();
            ServerSlots source = new ServerSlots(target, requested,
                    served.ask(() -> Probe.calibrate(target)).orElse(Calibration.ASSUMED),
                    requested.slos(bounds), bounds,
                    content.seed(), size, limitNanos(), preset.map(Mlperf::percentile), ceiling,
                    new ArrivalLaw.Poisson(),
                    () -> stopped.get().isPresent());
            Optional<ServerWarmup> warmUp = warmUp(source);
            Curve curve = new CurveRunner(source, (slot, rest) -> progress(CurveText.line(slot) + "  "
                    + ProgressLine.time(TimeNeeded.left(rest, size, limitNanos())) + " left"), stopped)
                    .run(plan);
            cut.finish();
            print(new Document(target.baseUrl().toString(), server.command(), target.model(),
                    requested.name(), content.seed(), bounds, preset, needed, warmUp, ceiling, curve));
            Optional<String> died = curve.cutShort().isPresent() ? served.died() : Optional.empty();
            if (died.isPresent()) {
                throw AssayException.environment(died.get());
            }
            return code(curve);
        }
    }

    private int code(Curve curve) {
        return curve.cutShort().isPresent() || loads == null && !curve.found().bracketed()
                || curve.slots().stream().anyMatch(s -> !s.valid() && s.purpose().equals("repeat"))
                        ? Exit.EVIDENCE
                        : Exit.DONE;
    }

    private SlotSize size() {
        List<Double> seconds = NumberList.of("--slot-seconds", slotSeconds, Double.MAX_VALUE);
        if (seconds.size() != 2 || seconds.get(1) < seconds.get(0) || !(timeLimit > 0) || requests < 8) {
            throw AssayException.misuse("--slot-seconds is '" + slotSeconds + "', --time-limit " + timeLimit
                    + ", --requests " + requests + "; expected MIN,MAX, more than 0, and at least 8");
        }
        return new SlotSize(seconds.get(0), seconds.get(1));
    }

    private long limitNanos() {
        return Math.round(timeLimit * NANOS);
    }

    private Path log(Path directory) {
        try {
            return Files.createDirectories(directory).resolve("server.log");
        } catch (IOException e) {
            throw AssayException.environment(directory + ": not made: " + e.getMessage(), e);
        }
    }

    private Slo bounds(Optional<Mlperf> preset) {
        if (content.slo().isPresent() == preset.isPresent()) {
            throw AssayException.misuse("give --slo ttft:250,tpot:12 or --mlperf NAME; expected one of them");
        }
        return preset.map(Mlperf::slo).or(content::slo).orElseThrow();
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
