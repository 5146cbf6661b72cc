package dev.assay.quality;

import java.util.List;

/**
 * All that one arm answered, kept raw so that every figure can be recomputed.
 *
 * @param greedy one per prompt
 * @param next one list per planned position, most likely first; empty where the server gave none
 */
public record ArmOutputs(List<GreedyOutput> greedy, List<List<TokenLogprob>> next) {
    public ArmOutputs {
        greedy = List.copyOf(greedy);
        next = next.stream().map(List::copyOf).toList();
    }
}
