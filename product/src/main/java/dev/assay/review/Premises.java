package dev.assay.review;

import dev.assay.forecast.EngineSettings;
import dev.assay.forecast.Range;
import dev.assay.review.Prediction.Premise;
import dev.assay.workload.Calibration;
import dev.assay.workload.SharedPrompts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The conditions under which a prediction holds, and whether the measured slots kept them. */
final class Premises {
    private static final String PREFIX_HITS = "prefix-hits";
    private static final String KV_POOL = "kv-pool";
    private static final String ACCEPTANCE = "acceptance";
    private static final double PREFIX_SHARE = 0.05;
    /** A pool that forgets finds less than one that does not; chat templates and start tokens shift the pages. */
    private static final double LEAST_FOUND = 0.7;
    private static final double MOST_FOUND = 1.05;

    private Premises() {}

    /** The premises of a prediction: what its replay took for granted of prefixes, of the pool and of drafts. */
    static List<Premise> of(Proposal proposal) {
        List<Premise> premises = new ArrayList<>();
        EngineSettings baseline = proposal.arms().baseline().settings();
        EngineSettings candidate = proposal.arms().candidate().settings();
        boolean cached = baseline.cachesPrefixes() || candidate.cachesPrefixes();
        if (cached && SharedPrompts.any(Schedules.spec(proposal.workload()))) {
            for (Arm arm : Arm.values()) {
                boolean caches = (arm == Arm.BASELINE ? baseline : candidate).cachesPrefixes();
                premises.add(caches ? hits(proposal, arm) : noHits(Optional.of(arm)));
            }
        } else {
            premises.add(noHits(Optional.empty()));
        }
        if (baseline.numBlocks().isEmpty() || candidate.numBlocks().isEmpty()) {
            premises.add(new Premise(KV_POOL,
                    "at most this many sequences are preempted in a slot: the forecast's KV pool never"
                            + " binds",
                    0));
        }
        if (candidate.rowsPerSequence() > 1) {
            proposal.local().speculation()
                    .ifPresent(s -> premises.add(acceptance(s.acceptance(), candidate)));
        }
        return List.copyOf(premises);
    }

    private static Premise noHits(Optional<Arm> arm) {
        String statement = arm.isPresent()
                ? "at most this share of prompt tokens is served from a prefix cache in the "
                        + arm.get().name().toLowerCase(Locale.ROOT) + ", which does not share pages"
                : "at most this share of prompt tokens is served from a prefix cache, in either"
                        + " arm: the workload shares no prefix";
        return new Premise(PREFIX_HITS, statement, PREFIX_SHARE, OptionalDouble.empty(), arm);
    }

    /** Between a part of what a cache without an end would find and all of it, at the load points of the first block. */
    private static Premise hits(Proposal proposal, Arm arm) {
        int page = (arm == Arm.BASELINE ? proposal.arms().baseline() : proposal.arms().candidate()).settings()
                .blockSize();
        double low = 1;
        double high = 0;
        for (int point = 0; point < proposal.loadPoints().size(); point++) {
            int requests = Schedules.slot(proposal, Calibration.ASSUMED, 0, point).size();
            double share = SharedPrompts.hitShare(SharedPrompts.tokens(Schedules.spec(proposal.workload()),
                    Schedules.law(proposal).at(proposal.loadPoints().get(point)),
                    Plan.slotSeed(proposal.measure().seed(), 0, point), requests), page);
            low = Math.min(low, share);
            high = Math.max(high, share);
        }
        return new Premise(PREFIX_HITS, String.format(Locale.ROOT,
                "the share of prompt tokens from the %s's prefix cache lies between %.3g and the bound: a cache"
                        + " that forgets nothing finds %.3g to %.3g",
                arm.name().toLowerCase(Locale.ROOT), LEAST_FOUND * low, low, high),
                Math.min(1, MOST_FOUND * high), OptionalDouble.of(LEAST_FOUND * low), Optional.of(arm));
    }

    /** Servers count accepted over drafted tokens: (a + a^2 + ... + a^g) / g. */
    private static Premise acceptance(Range acceptance, EngineSettings candidate) {
        double low = accepted(acceptance.low(), candidate.rowsPerSequence() - 1);
        double high = accepted(acceptance.high(), candidate.rowsPerSequence() - 1);
        return new Premise(ACCEPTANCE, String.format(Locale.ROOT,
                "the share of drafted tokens that are accepted lies between %.3g and the bound, as measured.speculation"
                        + " says",
                low), high, OptionalDouble.of(low), Optional.of(Arm.CANDIDATE));
    }

    static double accepted(double acceptance, int drafted) {
        double sum = 0;
        for (int i = 1; i <= drafted; i++) {
            sum += Math.pow(acceptance, i);
        }
        return sum / drafted;
    }

    /** The first premise that the slots broke, with the slot that shows it; empty where all held. */
    static Optional<String> broken(List<Premise> premises, List<SlotResult> slots) {
        for (Premise premise : premises) {
            for (SlotResult slot : slots) {
                if (premise.arm().filter(arm -> arm != slot.key().arm()).isPresent()) {
                    continue;
                }
                OptionalDouble value = switch (premise.id()) {
                    case PREFIX_HITS -> telemetry(slot, "prefix_hit_share");
                    case KV_POOL -> telemetry(slot, "preemptions");
                    case ACCEPTANCE -> telemetry(slot, "spec_acceptance_rate");
                    default -> OptionalDouble.empty();
                };
                if (value.isPresent() && value.getAsDouble() > premise.bound()) {
                    return Optional.of(String.format(Locale.ROOT, "premise %s: %.3g in slot %s, bound %.3g",
                            premise.id(), value.getAsDouble(), slot.key().label(), premise.bound()));
                }
                if (value.isPresent() && premise.least().isPresent()
                        && value.getAsDouble() < premise.least().getAsDouble()) {
                    return Optional
                            .of(String.format(Locale.ROOT, "premise %s: %.3g in slot %s, at least %.3g",
                                    premise.id(), value.getAsDouble(), slot.key().label(),
                                    premise.least().getAsDouble()));
                }
            }
        }
        return Optional.empty();
    }

    private static OptionalDouble telemetry(SlotResult slot, String name) {
        Double value = slot.telemetry().get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
