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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code assay measure} dies by SIGKILL again and again, in each of its phases and at moments drawn from a seed; it
 * always goes on, and the review verifies. Servers of a killed process must be gone.
 */
@Tag("together")
class KilledMeasureIT {
    /** The process dies a moment after the journal says this; the empty one is its own start. */
    private static final List<String> PHASES = List.of("", "session_started", "slot_started",
            "slot_finished");

    /** Passed on to the servers, by which those of other tests are told apart. */
    private static final String MARK = "ASSAY_TEST_OF_KILLS";

    @TempDir
    Path temp;

    @Test
    void killedInEachPhaseItGoesOnAndVerifies() throws IOException, InterruptedException {
        goesOn(1, PHASES.size());
    }

    @Tag("slow")
    @Test
    void killedTwentyTimesItGoesOnAndVerifies() throws IOException, InterruptedException {
        goesOn(2, 20);
    }

    private void goesOn(int blocks, int kills) throws IOException, InterruptedException {
        Path review = temp.resolve("killed");
        ReviewFiles files = TinyReview.create(review,
                TinyReview.template(blocks, TinyReview.engine(1), TinyReview.engine(2))
                        .set("warmup_s", "0.1").set("slot_s", "0.3"));
        assertThat(Cli.run("predict", "--trust", review.toString()).err()).doesNotContain("assay:");
        assertThat(Cli.run("seal", review.toString()).code()).isZero();
        SplittableRandom random = new SplittableRandom(20);
        int killed = 0;
        boolean seen = false;
        for (int i = 0; i < kills; i++) {
            int before = lines(review).size();
            Process process = measure(review);
            String phase = PHASES.get(i % PHASES.size());
            while (process.isAlive() && !phase.isEmpty()
                    && lines(review).stream().skip(before).noneMatch(l -> l.contains(phase))) {
                Thread.sleep(10);
            }
            seen |= running(review).stream().anyMatch(c -> c.contains("\0engine\0"));
            // A start takes longer than a slot: within both, the moment is anywhere.
            if (!process.waitFor(random.nextInt(phase.isEmpty() ? 2000 : 600), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                killed++;
            }
        }
        assertThat(killed).as("kills that found it at work").isGreaterThan(kills / 2);
        Process last = measure(review);
        assertThat(last.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(last.exitValue()).isIn(Exit.DONE, Exit.AGAINST, Exit.EVIDENCE);
        State state = State.of(Journal.read(review));
        assertThat(state.finished()).hasSize(blocks * 4 * 4);
        assertThat(state.failed()).isEmpty();
        Cli verified = Cli.run("verify", review.toString());
        assertThat(verified.out()).contains("accepted").doesNotContain("FAILED");
        assertThat(files.evidence().unreferenced(state.evidence())).isEmpty();
        assertThat(seen).as("servers while it measured").isTrue();
        assertThat(servers(review)).as("servers left behind").isEmpty();
    }

    private static List<String> lines(Path review) throws IOException {
        return new String(Files.readAllBytes(review.resolve("journal.jsonl")), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
    }

    private static Process measure(Path review) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c",
                "exec " + TinyReview.assay() + " measure --trust '" + review + "'")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(MARK, review.toString());
        return builder.start();
    }

    /** Servers that still run some seconds after the last process. */
    private static List<String> servers(Path review) throws IOException, InterruptedException {
        List<String> left = running(review);
        for (int i = 0; i < 30 && !left.isEmpty(); i++) {
            Thread.sleep(100);
            left = running(review);
        }
        return left;
    }

    /** Command lines of what bears the mark, which every process below a measurement inherits. */
    private static List<String> running(Path review) throws IOException {
        String mark = "\0" + MARK + "=" + review + "\0";
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes.filter(p -> p.getFileName().toString().matches("[0-9]+"))
                    .filter(p -> ("\0" + of(p, "environ")).contains(mark)).map(p -> of(p, "cmdline"))
                    .toList();
        }
    }

    private static String of(Path process, String file) {
        try {
            return Files.readString(process.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
