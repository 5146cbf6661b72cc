package dev.assay.review;

import dev.assay.review.Expectation.Band;
import dev.assay.review.Proposal.Tightening;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Applies the author's narrower intervals to the ready claims; a wider one or a dropped claim is refused by lint. */
final class Tightenings {
    private Tightenings() {}

    /** The claims with every bound that narrows its interval; one that would widen it is left for lint to refuse. */
    static List<Claim> apply(List<Claim> ready, List<Tightening> tightenings) {
        List<Claim> claims = new ArrayList<>(ready);
        for (Tightening t : tightenings) {
            claims.replaceAll(c -> c.id().equals(t.id()) ? tightened(c, t) : c);
        }
        return List.copyOf(claims);
    }

    private static Claim tightened(Claim claim, Tightening t) {
        if (!(claim.expectation() instanceof Expectation.Within within)) {
            return claim;
        }
        List<Band> bands = within.bands().stream().map(b -> at(t, b) ? tightened(b, t) : b).toList();
        return bands.equals(within.bands())
                ? claim
                : new Claim(claim.id(), claim.level(), claim.statement() + " Its interval is the author's.",
                        new Expectation.Within(within.metric(), bands), claim.rejectedIf(), claim.follows(),
                        claim.decisive());
    }

    private static boolean at(Tightening t, Band band) {
        return t.loadPoints().isEmpty() || t.loadPoints().get().contains(band.offeredRps());
    }

    private static Band tightened(Band b, Tightening t) {
        double low = inside(t.low(), b) ? t.low().getAsDouble() : b.low();
        double high = inside(t.high(), b) ? t.high().getAsDouble() : b.high();
        return new Band(b.offeredRps(), low, Math.clamp(b.estimate(), low, high), high, b.detectionLimit());
    }

    private static boolean inside(OptionalDouble bound, Band b) {
        return bound.isPresent() && b.low() <= bound.getAsDouble() && bound.getAsDouble() <= b.high();
    }

    /** Why lint refuses a proposal's tightenings, one line each; those that need the forecast only where there is one. */
    static List<String> refusals(Proposal proposal, Optional<Prediction> prediction) {
        List<String> lines = new ArrayList<>();
        List<Tightening> all = proposal.claims().orElse(List.of());
        for (int i = 0; i < all.size(); i++) {
            Tightening t = all.get(i);
            String field = "field 'claims[" + i + "]' ";
            if (t.drop().orElse(false)) {
                lines.add(field + "drops the ready claim '" + t.id()
                        + "'; a ready claim may be tightened, not dropped");
            } else if (t.low().isEmpty() && t.high().isEmpty()) {
                lines.add(field + "states neither low nor high for '" + t.id() + "'");
            }
            for (double point : t.loadPoints().orElse(List.of())) {
                if (!proposal.loadPoints().contains(point)) {
                    lines.add(field + "names " + point + ", which is not in load_points "
                            + proposal.loadPoints());
                }
            }
            prediction.ifPresent(p -> widened(field, t, p.claims(), lines));
        }
        return lines;
    }

    private static void widened(String field, Tightening t, List<Claim> claims, List<String> lines) {
        Optional<Expectation.Within> claim = claims.stream().filter(c -> c.id().equals(t.id()))
                .map(Claim::expectation).filter(e -> e instanceof Expectation.Within)
                .map(e -> (Expectation.Within) e).findFirst();
        if (claim.isEmpty()) {
            lines.add(field + "names '" + t.id()
                    + "', which is no ready claim with an interval; expected one of "
                    + claims.stream().filter(c -> c.expectation() instanceof Expectation.Within)
                            .map(Claim::id)
                            .collect(Collectors.joining(", ")));
            return;
        }
        claim.get().bands().stream().filter(b -> at(t, b))
                .filter(b -> differs(t.low(), b.low()) || differs(t.high(), b.high())).findFirst()
                .ifPresent(b -> lines.add(String.format(Locale.ROOT,
                        "%swidens the ready claim '%s', which is [%.3f, %.3f] at %.3g/s; a ready claim may be"
                                + " tightened, not widened",
                        field, t.id(), b.low(), b.high(), b.offeredRps())));
    }

    /** A bound that was within the ready interval is the claim's bound now. */
    private static boolean differs(OptionalDouble bound, double applied) {
        return bound.isPresent() && bound.getAsDouble() != applied;
    }
}
