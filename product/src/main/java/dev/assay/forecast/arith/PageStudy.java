package dev.assay.forecast.arith;

import dev.assay.forecast.PageArithmetic;
import dev.assay.workload.HashIds;
import dev.assay.workload.Trace;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a page size costs and saves for given lengths, exact: tail waste while a sequence decodes and at its end, the
 * effect of halving, page tables and hash work.
 */
public final class PageStudy {
    private PageStudy() {}

    /**
     * One page size.
     *
     * @param blockSize tokens of a page
     * @param wasteShare empty slots over allocated slots, residence-weighted
     * @param meanWasteTokens residence-weighted empty slots of a running sequence
     * @param completionWasteShare the same share when requests end
     * @param admissibleFactor tokens that a pool of fixed size admits, over those without any waste
     * @param halvingSavesTokens expected slots that half the page size saves of a sequence at its end; absent for odd sizes
     * @param halvingProbability how often half the page size saves half a page
     * @param tableBytes of the page tables
     * @param hashesPerRequest full pages of a mean prompt, each of which is hashed for the prefix cache
     * @param meanHitTokens tokens found in the cache where prompts share a prefix; absent where none was given
     */
    public record Row(int blockSize, double wasteShare, double meanWasteTokens, double completionWasteShare,
            double admissibleFactor, Optional<Double> halvingSavesTokens, Optional<Double> halvingProbability,
            long tableBytes, double hashesPerRequest, Optional<Double> meanHitTokens) {}

    /** One row for each page size. */
    public static List<Row> of(LengthSample lengths, List<Integer> blockSizes, int maxNumSeqs, int longest,
            Optional<Integer> sharedPrefix) {
        return blockSizes.stream().map(b -> row(lengths, b, maxNumSeqs, longest, sharedPrefix)).toList();
    }

    private static Row row(LengthSample lengths, int block, int maxNumSeqs, int longest,
            Optional<Integer> shared) {
        double waste = 0;
        double used = 0;
        double outputs = 0;
        double endWaste = 0;
        double endUsed = 0;
        double saves = 0;
        double often = 0;
        double hashes = 0;
        double hits = 0;
        for (int i = 0; i < lengths.size(); i++) {
            int p = lengths.input(i);
            int o = lengths.output(i);
            waste += PageArithmetic.residenceWaste(p, o, block);
            used += (double) o * p + (double) o * (o - 1) / 2;
            outputs += o;
            long tail = PageArithmetic.tailWaste((long) p + o, block);
            endWaste += tail;
            endUsed += p + o;
            saves += block % 2 == 0 ? PageArithmetic.halvingSaves((long) p + o, block) : 0;
            often += 2 * tail >= block ? 1 : 0;
            hashes += p / block;
            hits += shared.isPresent() ? LengthSample.hit(p, shared.get(), block) : 0;
        }
        int n = lengths.size();
        boolean even = block % 2 == 0;
        double share = waste / (waste + used);
        return new Row(block, share, waste / outputs, endWaste / (endWaste + endUsed), 1 - share,
                even ? Optional.of(saves / n) : Optional.empty(),
                even ? Optional.of(often / n) : Optional.empty(),
                PageArithmetic.pageTableBytes(maxNumSeqs, longest, block), hashes / n,
                shared.isPresent() ? Optional.of(hits / n) : Optional.empty());
    }

    /**
     * Share of a trace's prompt blocks that a cache without end would have seen, by the hashes in the trace; absent where
     * it has none.
     */
    public static Optional<Double> infiniteCacheHitShare(Trace trace) {
        Set<Integer> seen = new HashSet<>();
        long blocks = 0;
        long hits = 0;
        for (Trace.Row row : trace.rows()) {
            HashIds ids = row.blocks();
            blocks += ids.size();
            boolean prefix = true;
            for (int i = 0; i < ids.size(); i++) {
                prefix = prefix && seen.contains(ids.get(i));
                hits += prefix ? 1 : 0;
            }
            for (int i = 0; i < ids.size(); i++) {
                seen.add(ids.get(i));
            }
        }
        return blocks == 0 ? Optional.empty() : Optional.of((double) hits / blocks);
    }

    /**
     * What stands out about a trace before anything is computed from it.
     *
     * @param medianInput of the prompts, tokens
     * @param maxGapSeconds longest time without an arrival
     * @param medianGapSeconds of the times between arrivals
     * @param gapVariation coefficient of variation of those times
     */
    public record Shape(int requests, double meanInput, double meanOutput, int medianInput, int medianOutput,
            int maxInput, int maxOutput, double maxGapSeconds, double medianGapSeconds,
            double gapVariation) {}

    /** The shape of a trace. */
    public static Shape shape(Trace trace) {
        int[] in = trace.rows().stream().mapToInt(Trace.Row::inputTokens).sorted().toArray();
        int[] out = trace.rows().stream().mapToInt(Trace.Row::outputTokens).sorted().toArray();
        long[] at = trace.rows().stream().mapToLong(Trace.Row::arrivalNanos).toArray();
        double[] gaps = new double[Math.max(0, at.length - 1)];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = (at[i + 1] - at[i]) / 1e9;
        }
        Arrays.sort(gaps);
        double mean = Arrays.stream(gaps).average().orElse(0);
        double squares = Arrays.stream(gaps).map(g -> (g - mean) * (g - mean)).average().orElse(0);
        return new Shape(in.length, Arrays.stream(in).average().orElseThrow(),
                Arrays.stream(out).average().orElseThrow(), in[in.length / 2], out[out.length / 2],
                in[in.length - 1], out[out.length - 1], gaps.length == 0 ? 0 : gaps[gaps.length - 1],
                gaps.length == 0 ? 0 : gaps[gaps.length / 2], mean > 0 ? Math.sqrt(squares) / mean : 0);
    }
}
