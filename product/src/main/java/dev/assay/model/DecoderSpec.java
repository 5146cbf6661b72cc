package dev.assay.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A decoder of any of the architectures that the forecast knows: its layers by kind, from which every matrix, byte and
 * operation follows. {@link ModelShape} is the narrower one that the embedded engine can run.
 *
 * @param name the model's name for reports
 * @param architecture {@code model_type} of a {@code config.json} or {@code general.architecture} of a GGUF file
 * @param hidden width of the residual stream
 * @param vocab tokens known
 * @param contextLength longest sequence declared
 * @param tiedEmbeddings whether the output head is the embedding matrix
 * @param layers by kind
 * @param stored name of the format in which the file says its weights are, as {@code bf16} or {@code fp8_block}
 * @param storedBits bits per weight by role where the file lists every tensor (GGUF); empty elsewhere
 */
public record DecoderSpec(String name, String architecture, int hidden, int vocab, int contextLength,
        boolean tiedEmbeddings, List<LayerRun> layers, String stored, Map<Matrix.Role, Double> storedBits) {
    public DecoderSpec {
        Bounds.atLeast("hidden_size", hidden, 1);
        Bounds.atLeast("vocab_size", vocab, 1);
        Bounds.atLeast("max_position_embeddings", contextLength, 1);
        layers = List.copyOf(layers);
        storedBits = Map.copyOf(storedBits);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("num_hidden_layers is 0; expected at least 1");
        }
    }

    /** Layers of all kinds. */
    public int layerCount() {
        return layers.stream().mapToInt(LayerRun::count).sum();
    }

    /** The most query heads of any layer. */
    public int queryHeads() {
        return layers.stream().mapToInt(r -> r.attention().queryHeads()).max().orElseThrow();
    }

    /** The layers with routed experts. */
    public Stream<LayerRun> mixtures() {
        return layers.stream().filter(r -> r.feedForward() instanceof FeedForward.Mixture);
    }

    /** Values that one token keeps in the caches of all layers, windows not considered. */
    public long cachedValuesPerToken() {
        return layers.stream().mapToLong(r -> r.count() * r.attention().cachedValues()).sum();
    }

    /** Bytes that one token keeps, at {@code bytesPerValue}. */
    public double kvBytesPerToken(double bytesPerValue) {
        return cachedValuesPerToken() * bytesPerValue;
    }

    /** All matrices and vectors; the output head appears as {@link Matrix.Role#HEAD} also where it is tied. */
    public List<Matrix> matrices() {
        List<Matrix> all = new ArrayList<>();
        if (!tiedEmbeddings) {
            all.add(new Matrix(Matrix.Role.EMBEDDING, Matrix.Split.EVEN, vocab, hidden, 1));
        }
        all.add(new Matrix(Matrix.Role.HEAD, Matrix.Split.EVEN, vocab, hidden, 1));
        all.add(vector(hidden, 1));
        layers.forEach(run -> all.addAll(LayerMatrices.of(this, run)));
        return List.copyOf(all);
    }

    static Matrix vector(int width, long count) {
        return new Matrix(Matrix.Role.VECTOR, Matrix.Split.COPIED, 1, width, count);
    }

    /** All parameters. */
    public long parameters() {
        return matrices().stream().mapToLong(Matrix::parameters).sum();
    }

    /** Parameters by role. */
    public Map<Matrix.Role, Long> parametersByRole() {
        Map<Matrix.Role, Long> sums = new EnumMap<>(Matrix.Role.class);
        matrices().forEach(m -> sums.merge(m.role(), m.parameters(), Long::sum));
        return sums;
    }

    /** Parameters that one token touches: all but the experts that it does not visit. */
    public long activeParameters() {
        long idle = mixtures().mapToLong(run -> {
            FeedForward.Mixture m = (FeedForward.Mixture) run.feedForward();
            long each = 3L * hidden * m.inner() + (m.biases() ? 2L * m.inner() + hidden : 0);
            return run.count() * (long) (m.experts() - m.topK()) * each;
        }).sum();
        return parameters() - idle;
    }

    /** Matrix weights that a token is multiplied with, its logits included; the embedding is only looked up. */
    public long multipliedWeights(boolean logits) {
        long sum = 0;
        for (LayerRun run : layers) {
            for (Matrix m : LayerMatrices.of(this, run)) {
                if (m.role() == Matrix.Role.EXPERT && run.feedForward() instanceof FeedForward.Mixture mix) {
                    sum += m.parameters() / mix.experts() * mix.topK();
                } else if (m.role() != Matrix.Role.VECTOR) {
                    sum += m.parameters();
                }
            }
        }
        return sum + (logits ? (long) vocab * hidden : 0);
    }
}
