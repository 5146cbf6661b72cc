package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.Journal;
import dev.assay.review.ReviewFiles;
import dev.assay.review.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code assay measure} dies by SIGKILL again and again, at moments drawn from a seed; it always goes on, and the review
 * verifies. Servers of a killed process must be gone.
 */
class KilledMeasureIT {
    private static final int KILLS = Integer.getInteger("assay.kills", 10);

    @TempDir
    Path temp;

    @Test
    void killedAtRandomMomentsItGoesOnAndVerifies() throws IOException, InterruptedException {
        Path review = temp.resolve("killed");
        ReviewFiles files = TinyReview.create(review,
                TinyReview.template(2, TinyReview.engine(1), TinyReview.engine(2)).set("warmup_s", "0.1"));
        assertThat(Cli.run("predict", "--trust", review.toString()).err()).doesNotContain("assay:");
        assertThat(Cli.run("seal", review.toString()).code()).isZero();
        SplittableRandom random = new SplittableRandom(20);
        int killed = 0;
        for (int i = 0; i < KILLS; i++) {
            Process process = measure(review);
            // Long enough on average that work gets done between kills, short enough that most find it at work.
            if (!process.waitFor(500 + random.nextInt(3500), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                killed++;
            }
        }
        assertThat(killed).as("kills that found it at work").isGreaterThan(KILLS / 2);
        Process last = measure(review);
        assertThat(last.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(last.exitValue()).isIn(Exit.DONE, Exit.AGAINST, Exit.EVIDENCE);
        State state = State.of(Journal.read(review));
        assertThat(state.finished()).hasSize(2 * 4 * 4);
        assertThat(state.failed()).isEmpty();
        Cli verified = Cli.run("verify", review.toString());
        assertThat(verified.out()).contains("accepted").doesNotContain("FAILED");
        assertThat(files.evidence().unreferenced(state.evidence())).isEmpty();
        assertThat(servers()).as("servers left behind").isEmpty();
    }

    private static Process measure(Path review) throws IOException {
        return new ProcessBuilder("sh", "-c",
                "exec " + TinyReview.assay() + " measure --trust '" + review + "'")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** Command lines from /proc, as ProcessHandle leaves out those longer than a page. */
    private static List<String> servers() throws IOException, InterruptedException {
        Thread.sleep(3000);
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes.filter(p -> p.getFileName().toString().matches("[0-9]+"))
                    .map(KilledMeasureIT::commandLine)
                    .filter(c -> c.contains("dev.assay.cli.Main\0engine")).toList();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
