package dev.assay.forecast.arith;

import dev.assay.model.AttentionSpec;
import dev.assay.model.DecoderSpec;
import dev.assay.model.FeedForward;
import dev.assay.model.LayerRun;
import dev.assay.model.Matrix;
import java.util.List;

/**
 * Bytes and operations of the busiest device of an arm, exact from the model, the formats and the parallelism. A step's
 * figures are those of one pass through all pipeline stages.
 */
public final class RankArithmetic {
    private final DecoderSpec spec;
    private final WeightPlan plan;
    private final double kvBytes;
    private final Parallelism parallel;
    private final Routing routing;
    private final double fixedReadBytes;
    private final double residentBytes;
    private final double fixedFlopsPerToken;
    private final List<LayerRun> mixtures;

    /** The arithmetic of an arm. */
    public RankArithmetic(DecoderSpec spec, WeightPlan plan, QuantFormat kv, Parallelism parallel,
            Routing routing) {
        this.spec = spec;
        this.plan = plan;
        this.kvBytes = kv.bits() / 8;
        this.parallel = parallel;
        this.routing = routing;
        mixtures = spec.mixtures().toList();
        List<Matrix> all = spec.matrices();
        double read = 0;
        double layers = 0;
        double ends = 0;
        double largestEnd = 0;
        double flops = 0;
        for (Matrix m : all) {
            double bytes = plan.bytes(m) / parts(m);
            boolean end = m.role() == Matrix.Role.HEAD || m.role() == Matrix.Role.EMBEDDING;
            if (m.role() != Matrix.Role.EMBEDDING && m.role() != Matrix.Role.EXPERT) {
                read += bytes;
            }
            if (end) {
                ends += bytes;
                largestEnd = Math.max(largestEnd, bytes);
            } else {
                layers += bytes;
            }
            if (!end && m.role() != Matrix.Role.EXPERT && m.role() != Matrix.Role.VECTOR) {
                flops += 2.0 * m.parameters() / parts(m);
            }
        }
        fixedReadBytes = read;
        fixedFlopsPerToken = flops;
        residentBytes = layers * stageShare() + (parallel.pipeline() == 1 ? ends : largestEnd);
    }

    private double parts(Matrix m) {
        return switch (m.split()) {
            case COPIED -> 1;
            case EVEN -> parallel.tensor();
            case KV_HEADS -> Math.min(parallel.tensor(), spec.layers().getFirst().attention().splitHeads());
            case EXPERTS -> parallel.experts() > 1 ? parallel.experts() : parallel.tensor();
        };
    }

    private double stageShare() {
        return Math.ceilDiv(spec.layerCount(), parallel.pipeline()) / (double) spec.layerCount();
    }

    /** Bytes of weights that the fullest device holds. */
    public double residentBytes() {
        return residentBytes;
    }

    /** Bytes of weights that a step reads; experts only as far as its tokens visit them. */
    public double weightBytes(double tokens) {
        double bytes = fixedReadBytes;
        for (LayerRun run : mixtures) {
            FeedForward.Mixture m = (FeedForward.Mixture) run.feedForward();
            bytes += run.count() * distinct(m, tokens) * expertBytes(m);
        }
        return bytes;
    }

    private double expertBytes(FeedForward.Mixture m) {
        double whole = plan.bytes(
                new Matrix(Matrix.Role.EXPERT, Matrix.Split.EXPERTS, m.inner(), spec.hidden(), 2))
                + plan.bytes(
                        new Matrix(Matrix.Role.EXPERT, Matrix.Split.EXPERTS, spec.hidden(), m.inner(), 1));
        return parallel.experts() > 1 ? whole : whole / parallel.tensor();
    }

    /** Different experts that the busiest device reads in a layer. */
    private double distinct(FeedForward.Mixture m, double tokens) {
        return parallel.experts() > 1
                ? routing.distinctOn(m.experts(), m.topK(), tokens * parallel.data(), parallel.experts(), 0)
                : routing.distinct(m.experts(), m.topK(), tokens);
    }

    /** Bytes that one token keeps on the device, windows not considered, in the layers of all stages. */
    public double kvBytesPerToken() {
        return spec.layers().stream().mapToDouble(this::kvOfRun).sum();
    }

    private double kvOfRun(LayerRun run) {
        return run.count() * run.attention().cachedValues() * kvBytes
                / Math.min(parallel.tensor(), run.attention().splitHeads());
    }

    /** Bytes that one token takes in the fullest stage. */
    public double kvBytesPerTokenOfStage() {
        return kvBytesPerToken() * stageShare();
    }

    /**
     * Bytes of keys and values that one decode row reads.
     *
     * @param attended mean number of tokens attended by a layer
     */
    public double kvReadBytes(Attended attended) {
        return spec.layers().stream().mapToDouble(r -> kvOfRun(r) * attended.tokens(r.attention())).sum();
    }

    /** How many tokens a layer attends. */
    @FunctionalInterface
    public interface Attended {
        double tokens(AttentionSpec attention);

        /** A sequence of {@code n} tokens of which windows keep the last. */
        static Attended context(double n) {
            return a -> a.window().isPresent() ? Math.min(n, a.window().getAsInt()) : n;
        }
    }

    /** Matrix operations of {@code tokens} rows, logits for {@code logits} of them. */
    public double matrixFlops(double tokens, double logits) {
        double perToken = fixedFlopsPerToken;
        for (LayerRun run : mixtures) {
            FeedForward.Mixture m = (FeedForward.Mixture) run.feedForward();
            double visits = parallel.experts() > 1
                    ? m.topK() * parallel.data()
                            * routing.busiestShare(m.experts(), m.topK(), parallel.experts())
                    : m.topK() / (double) parallel.tensor();
            perToken += run.count() * visits * 6.0 * spec.hidden() * m.inner();
        }
        return tokens * perToken + logits * 2.0 * spec.vocab() * spec.hidden() / parallel.tensor();
    }

    /** Attention operations of rows that attend {@code pairs} tokens in a layer. */
    public double attentionFlops(Attended pairs) {
        return spec.layers().stream()
                .mapToDouble(r -> r.count() * r.attention().flopsPerPair() * pairs.tokens(r.attention()))
                .sum() / parallel.tensor();
    }

    /** Bytes of activations that {@code tokens} rows move: T·s·(10h+3f)·L, a rough figure. */
    public double activationTraffic(double tokens) {
        return spec.layers().stream().mapToDouble(r -> r.count() * tokens * 2 * widths(r)).sum()
                / parallel.tensor();
    }

    private double widths(LayerRun run) {
        double inner = switch (run.feedForward()) {
            case FeedForward.Dense d -> d.inner();
            case FeedForward.Mixture m -> (double) m.topK() * m.inner() + m.sharedInner();
        };
        return 10.0 * spec.hidden() + 3 * inner;
    }

    /** Peak of activations and logits in memory, bytes: one layer's buffers, and 32-bit logits of the sampled rows. */
    public double activationPeak(double tokens, double rows) {
        double widest = spec.layers().stream().mapToDouble(this::widths).max().orElseThrow();
        return tokens * 2 * widest / parallel.tensor() + 4.0 * spec.vocab() * rows;
    }

    /** All-reduces of a step: two in each layer where matrices are shared. */
    public int allReduces() {
        return parallel.tensor() == 1 ? 0 : 2 * spec.layerCount();
    }

    /** All-to-alls of a step: to the experts and back, where requests are spread apart from them. */
    public int allToAlls() {
        return parallel.experts() > 1 && parallel.data() > 1
                ? 2 * spec.mixtures().mapToInt(LayerRun::count).sum()
                : 0;
    }

    /** Bytes that a device puts on the wire for {@code tokens} rows. */
    public double wireBytes(double tokens) {
        double token = 2.0 * spec.hidden();
        double bytes = allReduces() * Parallelism.ringBytes(tokens * token, parallel.tensor());
        if (allToAlls() > 0) {
            FeedForward.Mixture m = (FeedForward.Mixture) spec.mixtures().findFirst().orElseThrow()
                    .feedForward();
            bytes += allToAlls()
                    * Parallelism.allToAllBytes(tokens, m.topK(), token, parallel.experts());
        }
        return bytes + sends() * tokens * token;
    }

    /** Sends from stage to stage. */
    public int sends() {
        return parallel.pipeline() - 1;
    }

    /** The model. */
    public DecoderSpec spec() {
        return spec;
    }

    /** The formats. */
    public WeightPlan plan() {
        return plan;
    }

    /** How it is spread. */
    public Parallelism parallel() {
        return parallel;
    }
}
