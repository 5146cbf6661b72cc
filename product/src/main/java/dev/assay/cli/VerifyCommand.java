package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.review.ReviewFiles;
import dev.assay.review.Verification;
import dev.assay.review.Verification.Check;
import dev.assay.review.Views;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** Recomputes a review from its evidence. */
@Command(name = "verify", description = {
        "Recompute the hash chain, every hash and every number of a review from its raw evidence,",
        "and the record byte for byte."}, footer = {"", "Example:", "  assay verify reviews/batch-cap-32"})
final class VerifyCommand extends ReviewCommand {
    /** What {@code --json} prints. */
    record Report(boolean accepted, List<Check> checks) {}

    @Override
    public Integer call() {
        ReviewFiles files = files();
        List<Check> checks = new ArrayList<>(Verification.verify(files));
        boolean sound = checks.stream().allMatch(Check::passed);
        if (sound) {
            checks.addAll(records(files));
        }
        boolean accepted = checks.stream().allMatch(Check::passed);
        if (json) {
            printJson(new Report(accepted, checks));
        } else {
            checks.forEach(c -> say("        ",
                    (c.passed() ? "ok      " : "FAILED  ") + c.name() + ": " + c.detail()));
            out().println(accepted ? "accepted" : "REJECTED");
        }
        return accepted ? Exit.DONE : Exit.EVIDENCE;
    }

    private static List<Check> records(ReviewFiles files) {
        List<Check> checks = new ArrayList<>();
        try {
            Records.render(Views.of(files)).forEach((name, text) -> {
                String present = files.read(name);
                if (!present.isEmpty() || files.hasRecord()) {
                    checks.add(new Check(name, present.equals(text),
                            present.equals(text)
                                    ? "equal to what the evidence gives, byte for byte"
                                    : "differs from what the evidence gives"));
                }
            });
        } catch (AssayException e) {
            checks.add(new Check("record", false, String.valueOf(e.getMessage())));
        }
        return checks;
    }
}
