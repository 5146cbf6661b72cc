package dev.assay.cli;

import dev.assay.review.Decision;
import dev.assay.review.Deciding;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Records the decision of an owner. */
@Command(name = "decide", description = "Record the decision, its reasons, its expiry and what re-opens it.", footer = {
        "", "Example:",
        "  assay decide reviews/batch-cap-32 --decision reject --owner jane@example.org \\",
        "      --reason 'goodput unchanged at 14/s' --reevaluate 'new CPU type' --expires 2027-06-30"})
final class DecideCommand extends ReviewCommand {
    @Option(names = "--decision", required = true, description = "ship, hold or reject.")
    Decision.Choice decision = Decision.Choice.HOLD;

    @Option(names = "--owner", description = "Who decides (default: the proposal's owner).")
    String owner = "";

    @Option(names = "--reason", description = "Why; may be repeated (default: the recommendation's reasons).")
    List<String> reasons = List.of();

    @Option(names = "--expires", description = "The day from which it must be looked at again, YYYY-MM-DD"
            + " (default: in 180 days).")
    String expires = "";

    @Option(names = "--reevaluate", description = "What re-opens it; may be repeated (default: a change of the model,"
            + " the engine's version, the hardware or the workload).")
    List<String> reevaluate = List.of();

    @Option(names = "--override", description = "Ship although the recommendation is not to; needs a --reason.")
    boolean override;

    @Override
    public Integer call() {
        Decision recorded = Deciding.decide(files(),
                new Deciding.Request(decision, owner, reasons, expires, reevaluate, override),
                InstantSource.system());
        Records.write(files());
        if (json) {
            printJson(recorded);
        } else {
            say("  ",
                    recorded.choice().name().toLowerCase(java.util.Locale.ROOT) + " by " + recorded.owner()
                            + ", expires " + recorded.expires() + "; see "
                            + files().directory().resolve("record.md"));
        }
        return Exit.DONE;
    }
}
