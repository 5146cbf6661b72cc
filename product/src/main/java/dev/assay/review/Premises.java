package dev.assay.review;

import dev.assay.review.Prediction.Premise;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The conditions under which a prediction holds, and whether the measured slots kept them. */
final class Premises {
    private static final String PREFIX_HITS = "prefix-hits";
    private static final String KV_POOL = "kv-pool";
    private static final double PREFIX_SHARE = 0.05;

    private Premises() {}

    /** The premises of every prediction of this model: it replays no shared prefix and no full pool by accident. */
    static List<Premise> of() {
        return List.of(
                new Premise(PREFIX_HITS,
                        "at most this share of prompt tokens is served from a prefix cache, in either"
                                + " arm: the workload shares no prefix",
                        PREFIX_SHARE),
                new Premise(KV_POOL,
                        "at most this many sequences are preempted in a slot: the forecast's KV pool never"
                                + " binds",
                        0));
    }

    /** The first premise that the slots broke, with the slot that shows it; empty where all held. */
    static Optional<String> broken(List<Premise> premises, List<SlotResult> slots) {
        for (Premise premise : premises) {
            for (SlotResult slot : slots) {
                OptionalDouble value = switch (premise.id()) {
                    case PREFIX_HITS -> telemetry(slot, "prefix_hit_share");
                    case KV_POOL -> telemetry(slot, "preemptions");
                    default -> OptionalDouble.empty();
                };
                if (value.isPresent() && value.getAsDouble() > premise.bound()) {
                    return Optional.of(String.format(Locale.ROOT, "premise %s: %.3g in slot %s, bound %.3g",
                            premise.id(), value.getAsDouble(), slot.key().label(), premise.bound()));
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
