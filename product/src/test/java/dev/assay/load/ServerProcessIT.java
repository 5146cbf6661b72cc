package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
                "echo $$ > " + dir + "/shell; sleep 1000 & echo $! > " + dir + "/child; " + server(),
                Map.of("MODE", "seven"), Optional.of(dir));
        ServerProcess process = command.start(log());
        process.awaitReady(30 * SECOND);
        assertThat(process.tail(5)).anyMatch(l -> l.equals("listening, mode seven"));
        if (ServerProcess.hasProc()) {
            assertThat(process.residentBytes().orElseThrow()).isBetween(10L << 20, 2L << 30);
            assertThat(process.peakResidentBytes()).isPresent();
        }
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

    @Test
    void aCommandWithoutAPortIsMisuse() {
        assertThatThrownBy(() -> ServerCommand.of("serve --port 8000")).hasMessageContaining("{port}");
    }

    /** Starts a server and waits for its own death. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws InterruptedException {
            try (ServerProcess process = ServerCommand.of(args[0]).start(Path.of(args[1]))) {
                Thread.sleep(60_000 + process.port());
            }
        }
    }
}
