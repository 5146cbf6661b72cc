package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.Event;
import dev.assay.review.Journal;
import dev.assay.review.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that do not start, die or answer errors end slots with a reason; what was measured stays and verifies. */
class FaultyServersIT {
    @TempDir
    Path temp;

    /** A server whose fault depends on how often it was started, by the cases of a shell. */
    private String server(String name, String cases) throws IOException {
        Path starts = temp.resolve(name);
        return "echo x >> '" + starts + "'; fault=none; case $(($(wc -l < '" + starts + "'))) in " + cases
                + " esac; " + FaultyServer.command();
    }

    private static void verifies(Path review) {
        Cli verified = Cli.run("verify", review.toString());
        assertThat(verified.out()).contains("accepted").doesNotContain("FAILED");
    }

    /**
     * One review: the candidate does not start for the comparison of outputs, and does when the command is given again;
     * it dies within its first session of slots and does not come up for its second. The baseline, once the slots begin,
     * answers each second request with an error.
     */
    @Test
    void eachFaultIsNamedAndTakesItsOwnSlotsOnly() throws IOException {
        Path review = temp.resolve("faults");
        TinyReview.create(review, TinyReview.quick(server("baseline", "1|2|3) ;; *) fault=errors ;;"),
                server("candidate", "1) echo 'out of luck' >&2; exit 3 ;; 2) ;; 3) fault=dies ;;"
                        + " *) echo 'no more' >&2; exit 5 ;;")));
        Cli predicted = Cli.run("predict", "--trust", "--ledger", "none", review.toString());
        assertThat(predicted.code()).as(predicted.err()).isZero();
        assertThat(Cli.run("seal", review.toString()).code()).isZero();

        Cli notStarted = Cli.run("measure", "--trust", review.toString());
        assertThat(notStarted.code()).isEqualTo(Exit.ENVIRONMENT);
        assertThat(notStarted.err()).contains("status 3").contains("out of luck");
        verifies(review);

        Cli measured = Cli.run("measure", "--trust", review.toString());
        assertThat(measured.code()).as(measured.err()).isEqualTo(Exit.EVIDENCE);
        assertThat(measured.out()).contains("error-share");
        State state = State.of(Journal.read(review));
        assertThat(state.failed()).extracting(Event.SlotFailed::reason).as(measured.err())
                .anyMatch(r -> r.contains("died during the slot"))
                .anyMatch(r -> r.contains("died before the slot"))
                .anyMatch(r -> r.contains("status 5") && r.contains("no more"))
                .allMatch(r -> r.contains("died") || r.contains("status 5"));
        assertThat(state.failed()).allMatch(f -> f.slot().arm() == dev.assay.review.Arm.CANDIDATE);
        assertThat(state.finished().keySet()).filteredOn(s -> s.arm() == dev.assay.review.Arm.BASELINE)
                .hasSize(8);
        assertThat(Files.readString(review.resolve("journal.jsonl"))).contains("\"kind\":\"slot_failed\"")
                .contains("http_5xx");
        verifies(review);
    }
}
