package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code assay curve --command}: the server is started, measured, and gone afterwards, whatever ended the command. */
@Tag("together")
class CurveServerIT {
    private static final String[] SMALL = {"--slo", "ttft:2000", "--loads", "20,30", "--requests", "12",
            "--input-tokens", "8", "--output-tokens", "2", "--slot-seconds", "0.5,1", "--warmup-seconds",
            "0"};

    @TempDir
    Path dir;

    private static String nullServer() {
        return TinyReview.assay() + " null-server --port {port}";
    }

    private Process curve(String command, String loads) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec " + TinyReview.assay()
                + " curve --slo ttft:2000 --requests 12 --slot-seconds 0.5,1 --warmup-seconds 0 --loads "
                + loads + " --command \"$SERVER\" --out '" + dir.resolve("out") + "'")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(dir.resolve("err").toFile());
        builder.environment().put("SERVER", command);
        return builder.start();
    }

    private static void killWhenUp() {
        try {
            ProcessHandle server = listening(ProcessHandle.current());
            Thread.sleep(4000);
            server.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ProcessHandle listening(ProcessHandle above) throws InterruptedException {
        while (above.isAlive()) {
            for (ProcessHandle child : above.descendants().toList()) {
                // Not by ProcessHandle, which leaves out command lines longer than a page.
                List<String> words = words(child);
                int at = words.indexOf("null-server");
                if (at >= 0 && listens(Integer.parseInt(words.get(at + 2)))) {
                    return child;
                }
            }
            Thread.sleep(50);
        }
        throw new AssertionError("ended before its server listened");
    }

    private static List<String> words(ProcessHandle process) {
        try {
            return List.of(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"),
                    StandardCharsets.ISO_8859_1).split("\0", -1));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aServerIsStartedMeasuredAndEnded() throws IOException {
        Path out = dir.resolve("curve");
        String[] args = new String[SMALL.length + 5];
        args[0] = "curve";
        args[1] = "--command";
        args[2] = TinyReview.engine(4);
        args[3] = "--out";
        args[4] = out.toString();
        System.arraycopy(SMALL, 0, args, 5, SMALL.length);
        Cli run = Cli.run(args);
        assertThat(run.err()).isEmpty();
        JsonValue.Obj document = Json.parseFile(out.resolve("curve.json")).asObject();
        assertThat(document.require("command").asText()).isEqualTo(TinyReview.engine(4));
        assertThat(run.out()).contains("preempt", "tokens a step");
        assertThat(out.resolve("server.log")).exists();
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void aServerThatDiesEndsTheCurveAndWhatWasMeasuredIsKept() throws IOException, InterruptedException {
        Path out = dir.resolve("curve");
        Thread killer = Thread.ofVirtual().start(CurveServerIT::killWhenUp);
        Cli run = Cli.run("curve", "--slo", "ttft:2000", "--loads", "20,21,22,23,24,25,26,27,28,29",
                "--requests", "12", "--slot-seconds", "0.5,1", "--warmup-seconds", "0", "--out",
                out.toString(),
                "--command", nullServer() + "; echo gave up; exit 7");
        killer.join();
        assertThat(run.code()).as(run.out()).isEqualTo(Exit.ENVIRONMENT);
        assertThat(run.err()).startsWith("assay: server ended with status 7").contains("gave up")
                .hasLineCount(1);
        JsonValue.Obj curve = Json.parseFile(out.resolve("curve.json")).asObject().require("curve")
                .asObject();
        assertThat(curve.require("cut_short").asText()).startsWith("server ended with status 7");
        assertThat(curve.require("slots").asList()).hasSizeLessThan(10);
        // A command that never becomes a server is one line too.
        Cli none = Cli.run("curve", "--slo", "ttft:1", "--command", "echo no model on {port}; exit 3");
        assertThat(none.code()).isEqualTo(Exit.ENVIRONMENT);
        assertThat(none.err()).contains("server ended with status 3", "no model on ").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"KILL, 0, 137", "KILL, 3000, 137", "TERM, 3000, 143"})
    void aCurveThatIsKilledLeavesNoServer(String signal, long millis, int code)
            throws IOException, InterruptedException {
        Process process = curve(nullServer(), "20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39");
        while (process.isAlive() && process.descendants().count() < 2) {
            Thread.sleep(20);
        }
        if (millis > 0) {
            listening(process.toHandle());
            Thread.sleep(millis);
        }
        List<ProcessHandle> below = process.descendants().toList();
        assertThat(below).as(Files.readString(dir.resolve("err"))).hasSizeGreaterThanOrEqualTo(2);
        new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(code);
        for (int i = 0; i < 200 && below.stream().anyMatch(ProcessHandle::isAlive); i++) {
            Thread.sleep(100);
        }
        assertThat(below).noneMatch(ProcessHandle::isAlive);
        assertThat(Files.exists(dir.resolve("out/curve.json"))).isEqualTo(signal.equals("TERM"));
    }
}
