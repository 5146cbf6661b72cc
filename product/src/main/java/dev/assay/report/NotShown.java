package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Claim;
import dev.assay.review.Expectation;
import dev.assay.review.Level;
import dev.assay.review.ReviewView;
import dev.assay.review.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the evidence leaves open, in the few sentences that stand beside a recommendation. */
final class NotShown {
    private static final int MOST_CLAIMS = 4;

    private NotShown() {}

    /** Undecided claims, missing blocks, and how far the measurement reaches; empty where nothing is measured. */
    static List<String> of(ReviewView view) {
        return view.analysis().map(a -> of(view, a)).orElse(List.of());
    }

    private static List<String> of(ReviewView view, Analysis analysis) {
        List<String> open = new ArrayList<>();
        List<Claim> undecided = analysis.claims().stream()
                .filter(r -> r.verdict() instanceof Verdict.Inconclusive
                        || r.verdict() instanceof Verdict.Void)
                .map(ClaimResult::claim).sorted(Comparator.comparing(c -> !c.decisive())).toList();
        if (!undecided.isEmpty()) {
            int left = undecided.size() - MOST_CLAIMS;
            open.add("undecided: " + undecided.size() + " of "
                    + Numbers.count(analysis.claims().size(), "claim")
                    + " (" + String.join(", ", undecided.stream().limit(MOST_CLAIMS).map(Claim::id).toList())
                    + (left > 0 ? " and " + left + " more" : "") + ")");
        }
        if (analysis.blocksComplete() < analysis.blocksPlanned()) {
            open.add(analysis.blocksComplete() + " of "
                    + Numbers.count(analysis.blocksPlanned(), "planned block")
                    + (analysis.blocksComplete() == 1 ? " is" : " are") + " complete at every load point");
        }
        open.add("no load outside " + range(view.proposal().loadPoints())
                + ", no other machine, no production traffic");
        int more = LimitSection.limits(view).size();
        if (more > 0) {
            open.add("what the " + Numbers.count(more, "limit") + " under What it cannot say leave"
                    + (more == 1 ? "s" : "")
                    + " open");
        }
        return open;
    }

    private static String range(List<Double> loads) {
        return loads.size() < 2
                ? Words.loads(loads)
                : Numbers.plain(loads.getFirst()) + " to " + Words.load(loads.getLast());
    }

    /** A reason that begins with a claim's id, with what the claim is about beside it. */
    static String named(ReviewView view, String reason) {
        return view.analysis().stream().flatMap(a -> a.claims().stream()).map(ClaimResult::claim)
                .filter(c -> reason.startsWith(c.id() + " ")).findFirst()
                .map(c -> c.id() + " (" + subject(c) + ")" + reason.substring(c.id().length()))
                .orElse(reason);
    }

    private static String subject(Claim claim) {
        return switch (claim.expectation()) {
            case Expectation.Within w -> Words.label(w.metric())
                    + (claim.level() == Level.MECHANISM ? ", what the change acts on" : " as forecast");
            case Expectation.AtLeast a -> Words.label(a.metric()) + " ×" + Numbers.plain(a.minEffect())
                    + (a.minEffect() > 1 ? " or more" : " or less");
            case Expectation.NotWorse n ->
                Words.label(n.metric()) + " not worse by more than " + Numbers.percent(n.margin());
            case Expectation.SameOutputs _ -> "the same greedy outputs";
            case Expectation.LikelihoodWithin _ -> "outputs as likely as the baseline's";
            case Expectation.LimitedBy _ -> "the limiter as forecast";
        };
    }
}
