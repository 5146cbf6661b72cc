package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewFiles;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Asks before a command runs that came with a review from elsewhere. */
final class TrustOption {
    @Option(names = "--trust", description = "Run the review's commands without asking, although it was not made on"
            + " this machine.")
    boolean trust;

    /** Returns where the commands may run; else throws. */
    void check(ReviewFiles files, PrintWriter err) {
        Proposal proposal = files.draft();
        Proposal.Arms arms = proposal.arms();
        boolean key = arms.baseline().apiKeyEnv().isPresent() || arms.candidate().apiKeyEnv().isPresent();
        if (trust || arms.resident() && !key || TrustStore.knows(files)) {
            return;
        }
        err.println("This review was not made on this machine. It would "
                + (arms.resident() ? "send a key of yours to:" : "run:"));
        err.println("  baseline:  " + words(arms.baseline()));
        err.println("  candidate: " + words(arms.candidate()));
        err.flush();
        Console console = Optional.ofNullable(System.console()).filter(Console::isTerminal).orElseThrow(
                () -> AssayException.misuse(arms.resident()
                        ? "a key is sent to the servers of a review from elsewhere only as you say so; expected --trust"
                        : "the commands of a review from elsewhere run only with --trust"));
        String answer = console.readLine(arms.resident() ? "Send it? [y/N] " : "Run them? [y/N] ");
        if (answer == null || !answer.strip().equalsIgnoreCase("y")) {
            throw AssayException.misuse(arms.resident()
                    ? "not sent; --trust sends it without asking"
                    : "not run; --trust runs them without asking");
        }
        TrustStore.remember(files);
    }

    private static String words(Proposal.ArmSpec arm) {
        return arm.command().or(arm::url).orElse("")
                + arm.apiKeyEnv().map(name -> "  (API key from $" + name + ")").orElse("");
    }
}
