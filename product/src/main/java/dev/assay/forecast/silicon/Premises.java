package dev.assay.forecast.silicon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the law presumes of a row, checked from peaks and from the row alone, before any fit: that its figures are possible,
 * and that it is a steady state, in which every request's prompt is computed between the tokens of the others.
 */
final class Premises {
    /** The most of peak that prompts are taken to reach: above every share that the hardware table saw in a data centre. */
    static final double MOST_COMPUTE = 0.85;
    /** Bandwidths are disputed by so much at most (B200: 7.7 and 8.0). */
    static final double DISPUTED = 1.04;
    /** Prompts have to be so much of a request's time for a regime to be told from them. */
    private static final double LEAST_PROMPTS = 0.2;
    /** A group is of another regime where so many of its rows are. */
    private static final double GROUP_SHARE = 0.2;
    private static final int GROUP_ROWS = 2;

    private Premises() {}

    /**
     * The rows that pass, those that do not, and why.
     *
     * @param voided rows of another regime, which could be forecast but not judged
     */
    record Checked(List<MeasuredRow> kept, List<MeasuredRow> voided, List<Refusal> refusals,
            List<String> faults) {}

    static Checked check(List<MeasuredRow> rows) {
        List<String> faults = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>();
        Set<MeasuredRow> impossible = new HashSet<>();
        for (MeasuredRow row : rows) {
            if (row.tpotSeconds() < leastSeconds(row)) {
                impossible.add(row);
                faults.add(String.format(Locale.ROOT,
                        "line %d: TPOT %.3f ms is faster than weights and live KV over peak bandwidth, %.3f ms",
                        row.line(), row.tpotSeconds() * 1e3, leastSeconds(row) * 1e3));
                refusals.add(new Refusal(row.group(), 1, row.line(),
                        "measurement fault: faster than its bytes over peak bandwidth"));
            }
        }
        Map<String, List<MeasuredRow>> groups = new TreeMap<>();
        rows.stream().filter(r -> !impossible.contains(r))
                .forEach(r -> groups.computeIfAbsent(r.group(), g -> new ArrayList<>()).add(r));
        Map<MeasuredRow, Boolean> broken = new HashMap<>();
        groups.forEach((name, group) -> regime(name, group, broken, refusals));
        return new Checked(
                rows.stream().filter(r -> !impossible.contains(r) && !broken.containsKey(r)).toList(),
                rows.stream().filter(broken::containsKey).toList(), refusals, faults);
    }

    private static void regime(String name, List<MeasuredRow> group, Map<MeasuredRow, Boolean> broken,
            List<Refusal> refusals) {
        List<MeasuredRow> early = group.stream().filter(r -> steadyShare(r) > 1).toList();
        if (early.isEmpty()) {
            return;
        }
        boolean all = early.size() >= GROUP_ROWS && early.size() >= GROUP_SHARE * group.size();
        List<MeasuredRow> out = all ? group : early;
        out.forEach(r -> broken.put(r, true));
        double most = early.stream().mapToDouble(Premises::steadyShare).max().orElse(0);
        refusals.add(new Refusal(name, out.size(), out.getFirst().line(), String.format(Locale.ROOT,
                "not a steady state: %d of %d rows end before the prompts of all slots could have been computed"
                        + " between their tokens (up to %.2f of the time there was): a burst, or prefix hits",
                early.size(), group.size(), most)));
    }

    /**
     * The time that a steady state needs at least, over the time that a request took: in it each of the b slots computes one
     * prompt and decodes one answer. Zero where prompts are too small a part to tell.
     */
    static double steadyShare(MeasuredRow row) {
        Deployment d = row.deployment();
        double prompts = d.batch() * (d.promptFlops() / d.peak()
                + d.promptAttentionFlops() / d.attentionPeak()) / MOST_COMPUTE;
        double had = row.requestSeconds();
        return prompts < LEAST_PROMPTS * had ? 0 : (prompts + d.outputTokens() * leastSeconds(row)) / had;
    }

    /**
     * The least TPOT that bytes allow: weights and the live prompts' keys and values, in 8 bits, over peak bandwidth. Requests
     * that wait for their first token hold none, and memory holds no more than it has.
     */
    static double leastSeconds(MeasuredRow row) {
        Deployment d = row.deployment();
        double weights = (d.blockWeights() + d.shape().headWeights())
                * Math.min(d.format().bytesPerWeight(), 2) / d.tensorParallel();
        double live = d.batch() * Math.max(0, 1 - row.ttftSeconds() / row.requestSeconds());
        double kv = live * d.inputTokens() * d.kvBytesPerToken(1);
        double bytes = Math.min(weights + kv, d.hardware().memoryBytes());
        return bytes / (d.hardware().bandwidth() * DISPUTED);
    }
}
