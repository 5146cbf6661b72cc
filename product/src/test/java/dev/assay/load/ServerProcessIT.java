package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers as users start them, with children that do not want to go. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServerProcessIT {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path dir;

    private Path log() {
        return dir.resolve("server.log");
    }

    private ServerProcess start(String command) {
        return ServerCommand.of(command).start(log());
    }

    private long pidIn(String name) {
        Path file = dir.resolve(name);
        until(() -> Files.exists(file) && file.toFile().length() > 1);
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean runs(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() && !zombie(pid);
    }

    /** Where process 1 of a container reaps nothing, the dead stay listed. */
    private static boolean zombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).startsWith("Z");
        } catch (IOException e) {
            return false;
        }
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + 20 * SECOND;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A small server in single-file Java, as the test's machine has a JDK and may have nothing else. */
    private String server() throws IOException {
        Path source = dir.resolve("Web.java");
        Files.writeString(source,
                """
                        public class Web {
                            public static void main(String[] a) throws Exception {
                                var s = com.sun.net.httpserver.HttpServer.create(new java.net.InetSocketAddress("127.0.0.1",
                                        Integer.parseInt(a[0])), 0);
                                s.createContext("/health", x -> { x.sendResponseHeaders(200, -1); x.close(); });
                                s.start();
                                System.out.println("listening, mode " + System.getenv("MODE"));
                            }
                        }
                        """);
        return Path.of(System.getProperty("java.home"), "bin", "java") + " -XX:TieredStopAtLevel=1 " + source
                + " {port}";
    }

    @Test
    void startsWaitsMeasuresMemoryAndStopsWithItsChildren() throws IOException {
        ServerCommand command = new ServerCommand(
                "env > " + dir + "/env; echo $$ > " + dir + "/shell; sleep 1000 & echo $! > " + dir
                        + "/child; " + server(),
                Map.of("MODE", "seven"), Optional.of(dir));
        ServerProcess process = command.start(log());
        process.awaitReady(30 * SECOND);
        assertThat(process.tail(5)).anyMatch(l -> l.equals("listening, mode seven"));
        if (ServerProcess.hasProc()) {
            assertThat(process.residentBytes().orElseThrow()).isBetween(10L << 20, 2L << 30);
            assertThat(process.peakResidentBytes()).isPresent();
        }
        assertThat(Files.readString(dir.resolve("env"))).contains("MODE=seven", "ASSAY_SERVER=")
                .doesNotContain("ASSAY_SUPERVISE", "ASSAY_BECOME");
        long child = pidIn("child");
        assertThat(runs(child)).isTrue();
        process.stop(5 * SECOND);
        assertThat(process.alive()).isFalse();
        assertThat(runs(child)).isFalse();
        assertThat(runs(pidIn("shell"))).isFalse();
    }

    @Test
    void aCommandThatEndsAtOnceIsAFaultWithItsLastLine() {
        try (ServerProcess process = start("echo first; echo 'cannot bind {port}' >&2; exit 7")) {
            assertThatThrownBy(() -> process.awaitReady(20 * SECOND)).hasMessageContaining("status 7")
                    .hasMessageContaining("cannot bind " + process.port()).hasMessageNotContaining("\n");
        }
    }

    @Test
    void aServerThatNeverAnswersIsAFault() {
        try (ServerProcess process = start("echo loading {port}; exec sleep 1000")) {
            assertThatThrownBy(() -> process.awaitReady(SECOND)).hasMessageContaining("not ready after 1 s")
                    .hasMessageContaining("loading");
            process.stop(SECOND);
            assertThat(process.alive()).isFalse();
        }
    }

    @Test
    void onesThatIgnoreTermOrLeaveTheSessionAreEndedToo() {
        ServerProcess process = start("trap '' TERM; echo $$ > " + dir + "/stubborn; "
                + "setsid sh -c 'echo $$ > " + dir
                + "/away; exec sleep 1000' & while :; do sleep 0.2; done; : {port}");
        long stubborn = pidIn("stubborn");
        long away = pidIn("away");
        long from = System.nanoTime();
        process.stop(SECOND);
        assertThat(System.nanoTime() - from).isLessThan(6 * SECOND);
        assertThat(runs(stubborn)).isFalse();
        assertThat(runs(away)).isFalse();
    }

    @Test
    void whatACommandLeavesBehindWhenItEndsIsEnded() {
        ServerProcess process = start("sleep 1000 & echo $! > " + dir + "/left; : {port}");
        long left = pidIn("left");
        until(() -> !process.alive());
        assertThat(runs(left)).isFalse();
        assertThat(process.died()).isPresent();
    }

    @Test
    void nothingOutlivesAnAssayThatIsKilled() throws Exception {
        Process parent = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Parent.class.getName(),
                "echo $$ > " + dir + "/top; sh -c 'echo $$ > " + dir + "/grand; sleep 1000; :'; : {port}",
                log().toString()).inheritIO().start();
        long top = pidIn("top");
        long grand = pidIn("grand");
        assertThat(runs(top) && runs(grand)).isTrue();
        parent.destroyForcibly().waitFor();
        until(() -> !runs(top) && !runs(grand));
    }

    /** Kills by name of the signal and number of a process or, below 0, of a group. */
    private static void signal(String signal, long target) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("sh", "-c", "kill -" + signal + " " + target).inheritIO().start()
                .waitFor()).isZero();
    }

    /** A parent in a group of its own, so that a signal to all of the group spares this test. */
    private Process parent(String command, String how) throws IOException {
        return new ProcessBuilder("setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), Parent.class.getName(), command,
                log().toString(), how).redirectErrorStream(true)
                .redirectOutput(dir.resolve("parent").toFile()).start();
    }

    /** As when a terminal is closed, Ctrl-C is typed or a service manager ends the whole group. */
    @ParameterizedTest
    @ValueSource(strings = {"HUP", "INT", "TERM", "KILL"})
    void nothingOutlivesASignalToAssaysWholeGroup(String signal) throws Exception {
        Process parent = parent("echo $$ > " + dir + "/top; sleep 1000 & echo $! > " + dir
                + "/child; while :; do sleep 0.2; done; : {port}", "wait");
        long top = pidIn("top");
        long child = pidIn("child");
        signal(signal, -parent.pid());
        assertThat(parent.waitFor(10, TimeUnit.SECONDS)).isTrue();
        until(() -> !runs(top) && !runs(child));
    }

    @Test
    void nothingOutlivesAnAssayThatStopsWithoutClosing() throws Exception {
        Process parent = parent("echo $$ > " + dir + "/top; exec sleep 1000; : {port}", "halt");
        long top = pidIn("top");
        assertThat(parent.waitFor(10, TimeUnit.SECONDS)).isTrue();
        until(() -> !runs(top));
    }

    @Test
    void aServerWhoseSupervisorIsKilledIsEnded() throws Exception {
        try (ServerProcess process = start("echo $$ > " + dir + "/top; sh -c 'echo $$ > " + dir
                + "/child; sleep 1000; :'; : {port}")) {
            long top = pidIn("top");
            long child = pidIn("child");
            signal("KILL", process.supervisorPid());
            until(() -> !runs(top) && !runs(child));
            assertThat(process.died().orElseThrow()).contains("status 137");
        }
    }

    /** The watcher is the supervisor's child that stays in the supervisor's session. */
    @Test
    void aServerWhoseWatcherIsKilledIsEnded() throws Exception {
        try (ServerProcess process = start("echo $$ > " + dir + "/top; exec sleep 1000; : {port}")) {
            long top = pidIn("top");
            until(() -> watchers(process).size() == 1);
            signal("KILL", watchers(process).getFirst());
            until(() -> !runs(top) && !process.alive());
            assertThat(process.tail(1).getFirst()).contains("watcher");
        }
    }

    private static List<Long> watchers(ServerProcess process) {
        List<Long> members = ProcTree.members(process.supervisorPid(), Set.of());
        return ProcessHandle.of(process.supervisorPid()).orElseThrow().children().map(ProcessHandle::pid)
                .filter(pid -> !members.contains(pid)).toList();
    }

    /** New session, empty environment, no parent, no inherited file: only the place below the supervisor is left. */
    @Test
    void aDaemonThatHidesInEveryWayIsEnded() throws Exception {
        Assumptions.assumeTrue(ServerProcess.hasProc() && (found("perl") || found("python3")),
                "skipped: neither perl nor python3");
        ServerProcess process = start("env -i setsid sh -c '(setsid sh -c \"echo \\$\\$ > " + dir
                + "/hidden; exec sleep 1000\" <&- >/dev/null 2>&1 3<&- 4<&- &)' ; exec sleep 1000; : {port}");
        long hidden = pidIn("hidden");
        until(() -> ProcessHandle.of(hidden).flatMap(ProcessHandle::parent)
                .filter(p -> p.pid() == process.supervisorPid()).isPresent());
        process.stop(SECOND);
        assertThat(runs(hidden)).isFalse();
    }

    private static boolean found(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }

    @Test
    void oneThatStartsWorkersWithoutEndIsEnded() {
        ServerProcess process = start("trap '' TERM; while :; do sh -c 'trap \"\" TERM; echo $$ >> " + dir
                + "/workers; exec sleep 1000' & sleep 0.01; done; : {port}");
        Path workers = dir.resolve("workers");
        until(() -> Files.exists(workers) && workers.toFile().length() > 50);
        process.stop(SECOND / 5);
        assertThat(process.alive()).isFalse();
        assertThat(workers).content().satisfies(text -> assertThat(text.lines().mapToLong(Long::parseLong)
                .filter(ServerProcessIT::runs).count()).isZero());
    }

    @Test
    void whatAChattyServerWritesIsBounded() throws IOException {
        long limit = 1 << 20;
        ServerProcess process = new ServerCommand(
                "echo the beginning; yes 0123456789abcdef | head -n 2000000; "
                        + "echo the end; exec sleep 1000; : {port}",
                Map.of(), Optional.empty(), limit).start(log());
        until(() -> process.tail(3).contains("the end"));
        process.stop(SECOND);
        assertThat(Files.size(log())).isLessThanOrEqualTo(limit);
        assertThat(process.tail(1)).containsExactly("the end");
        assertThat(Files.readString(dir.resolve("server.log.first"))).startsWith("the beginning\n");
        assertThat(Files.size(dir.resolve("server.log.first")) + Files.size(dir.resolve("server.log.last")))
                .isLessThanOrEqualTo(512 << 10);
    }

    @Test
    void anotherProcessThatAnswersOnThePortIsNotTheServer() throws IOException {
        Assumptions.assumeTrue(ServerProcess.hasProc(), "skipped: no /proc");
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/health", x -> {
            x.sendResponseHeaders(200, -1);
            x.close();
        });
        other.start();
        try (ServerProcess process = ServerProcess.start(ServerCommand.of("{port}"), "exec sleep 1000",
                other.getAddress().getPort(), log())) {
            assertThatThrownBy(() -> process.awaitReady(10 * SECOND))
                    .hasMessageContaining("answered by process " + ProcessHandle.current().pid());
        } finally {
            other.stop(0);
        }
    }

    @Test
    void readinessByALineOfTheOutputAndByAnotherStatus() throws IOException {
        try (ServerProcess process = start("echo loading; sleep 0.4; echo 'model ready: 3 layers'; "
                + "exec sleep 1000; : {port}")) {
            Readiness line = new Readiness(List.of(), 200, Optional.of(Pattern.compile("ready: \\d+")),
                    10 * SECOND);
            process.awaitReady(line);
            assertThat(process.tail(1)).containsExactly("model ready: 3 layers");
        }
        try (ServerProcess process = start("echo loading; exec sleep 1000; : {port}")) {
            assertThatThrownBy(() -> process.awaitReady(new Readiness(List.of(), 200,
                    Optional.of(Pattern.compile("ready")), SECOND / 2)))
                    .hasMessageContaining("no line like 'ready'");
        }
        try (ServerProcess process = start(server())) {
            process.awaitReady(Readiness.within(20 * SECOND).withPaths(List.of("/nowhere")).withStatus(404));
        }
    }

    @Test
    void aDirectoryThatIsNotThereIsMisuse() {
        assertThatThrownBy(() -> new ServerCommand("{port}", Map.of(), Optional.of(dir.resolve("no"))))
                .hasMessageContaining("no such directory");
    }

    @Test
    void aCommandWithoutAPortIsMisuse() {
        assertThatThrownBy(() -> ServerCommand.of("serve --port 8000")).hasMessageContaining("{port}");
    }

    /** Starts a server and waits for its own death. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws InterruptedException {
            try (ServerProcess process = ServerCommand.of(args[0]).start(Path.of(args[1]))) {
                if (args.length > 2 && args[2].equals("halt")) {
                    Thread.sleep(1000);
                    Runtime.getRuntime().halt(3);
                }
                Thread.sleep(60_000 + process.port());
            }
        }
    }
}
