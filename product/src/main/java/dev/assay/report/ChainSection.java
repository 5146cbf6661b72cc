package dev.assay.report;

import dev.assay.report.Part.Link;
import dev.assay.report.Part.Rung;
import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Claim;
import dev.assay.review.Level;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;

/** The causal chain: the claims by level, each with its verdict and the claims it follows from. */
final class ChainSection {
    private ChainSection() {}

    static Section of(ReviewView view) {
        List<Rung> rungs = rungs(view);
        return new Section("chain", "Causal chain",
                rungs.isEmpty()
                        ? Outline.nothing("No claim is stated yet.")
                        : List.of(new Part.Chain(rungs)));
    }

    /** The levels that have claims, in causal order. */
    static List<Rung> rungs(ReviewView view) {
        List<Rung> rungs = new ArrayList<>();
        for (Level level : Level.values()) {
            List<Link> links = view.analysis().map(a -> tested(a, level))
                    .orElseGet(() -> untested(view, level));
            if (!links.isEmpty()) {
                rungs.add(new Rung(Words.level(level), links));
            }
        }
        return rungs;
    }

    private static List<Link> tested(Analysis analysis, Level level) {
        return analysis.claims().stream().filter(r -> r.claim().level() == level).map(ChainSection::link)
                .toList();
    }

    private static List<Link> untested(ReviewView view, Level level) {
        return view.prediction().stream().flatMap(p -> p.claims().stream()).filter(c -> c.level() == level)
                .map(c -> link(c, Cell.marked("Not tested", Tone.FAINT), "")).toList();
    }

    private static Link link(ClaimResult result) {
        return link(result.claim(), Cell.of(result.verdict()), result.verdict().why());
    }

    private static Link link(Claim claim, Cell verdict, String why) {
        return new Link(claim.id(), claim.statement(), verdict, why, claim.follows(), claim.decisive());
    }
}
