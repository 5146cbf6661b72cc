package dev.assay.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.assay.AssayException;
import dev.assay.load.Ceiling;
import dev.assay.load.RequestLog;
import dev.assay.load.SelfTest;
import dev.assay.load.ServerCommand;
import dev.assay.load.ServerProcess;
import dev.assay.load.Target;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary.Spread;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** {@code assay load --self-test}: starts a null server in a process of its own, drives it, and keeps the ceiling. */
final class SelfTestRun {
    private static final long READY_NANOS = 30_000_000_000L;
    private static final long GRACE_NANOS = 2_000_000_000L;

    private SelfTestRun() {}

    /**
     * The document of {@code --json}.
     *
     * @param kept the file in which later runs find the ceiling
     */
    record Document(Map<String, String> machine, SelfTest.Result result, Ceiling ceiling, String kept) {}

    static Document run(double seconds, Optional<Path> out, Consumer<String> tell) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (PassingFile log = PassingFile.log("assay-null-server");
                ServerProcess server = ServerCommand.of(command()).start(log.path())) {
            server.awaitReady(READY_NANOS);
            SelfTest.Result result = test(server,
                    new SelfTest(Target.of(server.url().toString(), "null"), seconds,
                            system::getProcessCpuTime, tell,
                            requests -> out.ifPresent(d -> save(d, requests))));
            server.stop(GRACE_NANOS);
            Map<String, String> machine = Machine.describe();
            Ceiling ceiling = result.ceiling(LocalDate.now(ZoneOffset.UTC).toString(),
                    machine.get("cores") + " cores, " + machine.get("cpu"));
            Path file = Ceiling.file(System.getenv(), System.getProperty("user.home", "."));
            ceiling.write(file);
            return new Document(machine, result, ceiling, file.toString());
        }
    }

    private static void save(Path directory, List<RequestOutcome> requests) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw AssayException.environment(directory + ": not made: " + e.getMessage(), e);
        }
        RequestLog.write(directory.resolve("requests.parquet"), requests);
    }

    private static SelfTest.Result test(ServerProcess server, SelfTest test) {
        try {
            return test.run();
        } catch (AssayException e) {
            throw server.died().map(why -> AssayException.environment(e.getMessage() + ": " + why)).orElse(e);
        }
    }

    /** The launcher where there is one, else this Java with this class path. */
    private static String command() {
        String home = System.getProperty("assay.home", "");
        Path launcher = Path.of(home, "assay");
        if (!home.isEmpty() && Files.isExecutable(launcher)) {
            return quoted(launcher.toString()) + " null-server --port {port}";
        }
        return quoted(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "
                + quoted(System.getProperty("java.class.path"))
                + " dev.assay.cli.Main null-server --port {port}";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    static String text(Document d) {
        StringBuilder out = new StringBuilder();
        SelfTest.Result r = d.result();
        line(out, "The load generator on this machine, against a null server that shares it");
        line(out, "%s cores, %s", d.machine().getOrDefault("cores", "?"),
                d.machine().getOrDefault("cpu", "unknown"));
        line(out, "");
        line(out, "%-32s%12s%12s%9s%9s%6s", "", "requests/s", "events/s", "us/event", "us/req", "busy");
        row(out, "requests of one token, " + r.requests().streams() + " streams", r.requests());
        row(out, "events in bundles, " + r.coalesced().streams() + " streams", r.coalesced());
        r.paced().forEach(p -> row(out, "events one by one, " + p.streams() + " streams", p));
        line(out, "");
        line(out, "streams open at once: %d of %d%s", r.streams(), r.streamsAsked(),
                r.streamsLimit().isEmpty() ? "" : "; " + r.streamsLimit());
        line(out, "");
        line(out, "%-44s%9s%9s%9s%9s", "against the server's own times, ms", "mean", "p50", "p90", "p99");
        row(out, "TTFT, client", r.accuracy().ttft());
        row(out, "TTFT, server", r.accuracy().serverTtft());
        row(out, "error of TTFT, request by request", r.accuracy().ttftError());
        row(out, "error of ITL, gap by gap", r.accuracy().itlError());
        row(out, "schedule lag at 40 requests/s", r.accuracy().sendLag());
        row(out, String.format(Locale.ROOT, "schedule lag at %.0f requests/s (half)",
                r.requests().requestsPerS() / 2), r.lagAtHalf());
        line(out, "");
        line(out, "CPU is the client's own, with what its first use compiles. Kept for later runs in");
        line(out, "%s", d.kept());
        return out.toString();
    }

    private static void row(StringBuilder out, String name, SelfTest.Rate r) {
        line(out, "%-32s%12.0f%12.0f%9.1f%9.0f%5.0f%%", name, r.requestsPerS(), r.eventsPerS(),
                r.cpuUsPerEvent(),
                r.cpuUsPerRequest(), 100 * r.busyShare());
    }

    private static void row(StringBuilder out, String name, Spread s) {
        line(out, "%-44s%9.3f%9.3f%9.3f%9.3f", name, s.mean(), s.p50(), s.p90(), s.p99());
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values)).append('\n');
    }
}
