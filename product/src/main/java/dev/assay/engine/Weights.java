package dev.assay.engine;

import dev.assay.model.Gguf;
import dev.assay.model.ModelShape;
import dev.assay.model.TensorInfo;
import dev.assay.model.WeightFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * A Llama model's weights, packed. Query, key and value share one matrix, so do gate and up; the head's matrix is also
 * the embedding where the model ties them. Norms are f32.
 *
 * @param layers the blocks
 * @param outputNorm weights of the last norm
 * @param head the output head
 * @param embedding rows of the tokens
 */
record Weights(List<Layer> layers, float[] outputNorm, Panels head, Panels embedding) {
    /**
     * One block.
     *
     * @param attentionNorm weights of the norm before attention
     * @param qkv query heads, key heads, value heads, each padded to {@link Widths#head}
     * @param output projection back from attention
     * @param ffnNorm weights of the norm before the feed-forward layer
     * @param gateUp gate from output 0, up from output {@link Widths#ffn}
     * @param down projection back from the feed-forward layer
     */
    record Layer(float[] attentionNorm, Panels qkv, Panels output, float[] ffnNorm, Panels gateUp,
            Panels down) {
        private long memory() {
            return qkv.memory() + output.memory() + gateUp.memory() + down.memory();
        }
    }

    /** Padded widths of the activations, multiples of 32. */
    record Widths(int hidden, int head, int ffn) {
        static Widths of(ModelShape shape) {
            return new Widths(padded(shape.hidden()), padded(shape.headDim()), padded(shape.ffn()));
        }

        private static int padded(int n) {
            return Math.ceilDiv(n, Kernels.PAIR) * Kernels.PAIR;
        }
    }

    /** Bytes of all matrices in memory. */
    long memory() {
        long sum = head.memory() + (embedding == head ? 0 : embedding.memory());
        for (Layer layer : layers) {
            sum += layer.memory();
        }
        return sum;
    }

    static Weights load(Gguf gguf, ModelShape shape, WeightFormat format) {
        Widths widths = Widths.of(shape);
        List<Layer> layers = new ArrayList<>();
        for (int i = 0; i < shape.layers(); i++) {
            layers.add(new Loader(gguf, shape, widths, format, "blk." + i + ".").layer());
        }
        Loader top = new Loader(gguf, shape, widths, format, "");
        Panels embedding = top.matrix("token_embd", shape.vocab(), shape.hidden());
        Panels head = shape.tiedEmbeddings()
                ? embedding
                : top.matrix("output", shape.vocab(), shape.hidden());
        float[] norm = Packer.vector(gguf, "output_norm.weight", shape.hidden(), widths.hidden());
        return new Weights(List.copyOf(layers), norm, head, embedding);
    }

    /** Reads the tensors whose names start with {@code prefix}. */
    private record Loader(Gguf gguf, ModelShape shape, Widths widths, WeightFormat format, String prefix) {
        Layer layer() {
            return new Layer(norm("attn_norm"), qkv(),
                    matrix("attn_output", shape.hidden(), shape.queryDim()),
                    norm("ffn_norm"), gateUp(), matrix("ffn_down", shape.hidden(), shape.ffn()));
        }

        private float[] norm(String name) {
            return Packer.vector(gguf, prefix + name + ".weight", shape.hidden(), widths.hidden());
        }

        private Panels qkv() {
            int queries = shape.queryHeads();
            int kvs = shape.kvHeads();
            Panels panels = panels("qkv", (queries + 2 * kvs) * widths.head(), shape.hidden());
            pack(panels, "attn_q", shape.queryDim(), shape.hidden(), r -> rotary(r, 0));
            pack(panels, "attn_k", shape.kvDim(), shape.hidden(), r -> rotary(r, queries));
            pack(panels, "attn_v", shape.kvDim(), shape.hidden(), r -> plain(r, queries + kvs));
            return panels;
        }

        private Panels gateUp() {
            Panels panels = panels("ffn", 2 * widths.ffn(), shape.hidden());
            pack(panels, "ffn_gate", shape.ffn(), shape.hidden(), r -> r);
            pack(panels, "ffn_up", shape.ffn(), shape.hidden(), r -> r + widths.ffn());
            return panels;
        }

        Panels matrix(String name, int rows, int columns) {
            Panels panels = panels(name, rows, columns);
            pack(panels, name, rows, columns, r -> r);
            return panels;
        }

        private Panels panels(String name, int rows, int columns) {
            return new Panels(gguf.file() + ": " + prefix + name, format, rows, columns);
        }

        private void pack(Panels into, String name, int rows, int columns, IntUnaryOperator outputOf) {
            TensorInfo tensor = gguf.tensor(prefix + name + ".weight", rows, columns);
            Packer.pack(gguf, tensor, into, format, outputOf);
        }

        /** Parts a rotary pair: first values in a head's first half, second ones in its second half. */
        private int rotary(int row, int firstHead) {
            int inHead = row % shape.headDim();
            return plain(row - inHead, firstHead) + inHead % 2 * (widths.head() / 2) + inHead / 2;
        }

        private int plain(int row, int firstHead) {
            return (firstHead + row / shape.headDim()) * widths.head() + row % shape.headDim();
        }
    }
}
