package dev.assay.quality;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * The two arms' next-token distributions at one position.
 *
 * @param difference log-probability of the baseline's greedy token: candidate less baseline, in nats
 * @param baselineFloored whether the token lay outside the baseline's alternatives, so that its bound stands for it
 * @param candidateFloored the same of the candidate
 * @param kl Kullback-Leibler divergence of the candidate from the baseline over the shared alternatives, each arm's
 *     probabilities renormalised to them, in nats; absent with fewer than two shared ones
 * @param shared alternatives that both arms named
 * @param sameTop whether both arms find the same token most likely
 */
public record PositionDifference(String promptId, int index, double difference, boolean baselineFloored,
        boolean candidateFloored, OptionalDouble kl, int shared, boolean sameTop) {

    /** From alternatives, most likely first; both lists must have at least one. */
    static PositionDifference of(TeacherForcing.Position position, List<TokenLogprob> baseline,
            List<TokenLogprob> candidate) {
        Map<String, Double> a = byToken(baseline);
        Map<String, Double> b = byToken(candidate);
        Double inA = a.get(position.token());
        Double inB = b.get(position.token());
        double difference = (inB == null ? bound(candidate) : inB) - (inA == null ? bound(baseline) : inA);
        List<String> shared = baseline.stream().map(TokenLogprob::token)
                .filter(t -> !TokenText.hidden(t) && b.containsKey(t)).distinct().toList();
        return new PositionDifference(position.promptId(), position.index(), difference, inA == null,
                inB == null,
                shared.size() < 2
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(kl(pick(shared, a), pick(shared, b))),
                shared.size(),
                baseline.getFirst().token().equals(candidate.getFirst().token()));
    }

    /** The largest log-probability that a token outside the list can have: the least of the listed and the mass left over. */
    static double bound(List<TokenLogprob> top) {
        double least = top.getLast().logprob();
        double left = 1 - top.stream().mapToDouble(t -> Math.exp(t.logprob())).sum();
        return left > 0 ? Math.min(least, Math.log(left)) : least;
    }

    /** Divergence of {@code b} from {@code a}, log-probabilities of the same tokens, each renormalised to them. */
    static double kl(double[] a, double[] b) {
        double massA = logSum(a);
        double massB = logSum(b);
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            double logA = a[i] - massA;
            sum += Math.exp(logA) * (logA - (b[i] - massB));
        }
        // Rounding can leave a tiny negative where the distributions are equal.
        return Math.max(0, sum);
    }

    private static double logSum(double[] logs) {
        double highest = DoubleStream.of(logs).max().orElseThrow();
        return highest + Math.log(DoubleStream.of(logs).map(v -> Math.exp(v - highest)).sum());
    }

    private static double[] pick(List<String> tokens, Map<String, Double> from) {
        return tokens.stream().mapToDouble(t -> Objects.requireNonNull(from.get(t))).toArray();
    }

    private static Map<String, Double> byToken(List<TokenLogprob> top) {
        Map<String, Double> map = new HashMap<>();
        top.forEach(t -> map.putIfAbsent(t.token(), t.logprob()));
        return map;
    }
}
