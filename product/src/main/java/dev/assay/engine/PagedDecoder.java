package dev.assay.engine;

import dev.assay.AssayException;
import dev.assay.model.Gguf;
import dev.assay.model.ModelShape;
import dev.assay.model.WeightFormat;
import java.nio.file.Path;

/** The decoder over paged keys and values: one step is one pass of all rows through all blocks. */
final class PagedDecoder implements Decoder {
    private final ModelShape shape;
    private final DecoderConfig config;
    private final Tokenizer tokenizer;
    private final Weights weights;
    private final Weights.Widths widths;
    private final Kernels kernels;
    private final Team team;
    private final Rope rope;
    private final Attention attention;
    private final Product product;
    private final long weightBytes;
    private final float queryFactor;
    private Buffers buffers;
    private int[] logitsRow = {};

    PagedDecoder(Gguf gguf, DecoderConfig config, Kernels kernels) {
        this.config = config;
        this.kernels = kernels;
        shape = gguf.shape();
        tokenizer = Tokenizer.of(gguf);
        if (tokenizer.size() != shape.vocab()) {
            throw AssayException.misuse(gguf.file() + ": tokenizer.ggml.tokens has " + tokenizer.size()
                    + " entries: expected " + shape.vocab() + ", the rows of token_embd.weight");
        }
        Thread warmup = Warmup.start(kernels, config.weights());
        weights = Weights.load(gguf, shape, config.weights());
        weightBytes = weights.memory();
        widths = Weights.Widths.of(shape);
        KvPool pool = new KvPool(shape, widths.head(), config.pages(), config.pageSize());
        queryFactor = (float) (1 / Math.sqrt(shape.headDim()));
        rope = new Rope(shape, widths.head() / 2);
        attention = new Attention(kernels, shape, pool, config.pageSize(), widths.head(), config.threads());
        product = new Product(kernels, config.threads(), Kernels.PAIR * Math.max(shape.hidden(),
                Math.max(shape.ffn(), shape.queryDim())));
        buffers = new Buffers(1, 1);
        team = new Team(config.threads());
        join(warmup);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AssayException.environment("loading the model was interrupted", e);
        }
    }

    static Decoder load(Path path, DecoderConfig config) {
        try (Gguf gguf = Gguf.open(path)) {
            return new PagedDecoder(gguf, config, Kernels.best());
        }
    }

    /** The activations of a step's rows. */
    private final class Buffers {
        private final int rows;
        private final int outputs;
        private final float[] hidden;
        private final float[] normed;
        private final float[] qkv;
        private final float[] attended;
        private final float[] projected;
        private final float[] gateUp;
        private final float[] gated;
        private final float[] last;
        private final float[] logits;

        Buffers(int rows, int outputs) {
            this.rows = rows;
            this.outputs = outputs;
            hidden = new float[rows * widths.hidden()];
            normed = new float[rows * widths.hidden()];
            qkv = new float[rows * weights.layers().getFirst().qkv().outputs()];
            attended = new float[rows * shape.queryDim()];
            projected = new float[rows * widths.hidden()];
            gateUp = new float[rows * 2 * widths.ffn()];
            gated = new float[rows * widths.ffn()];
            last = new float[outputs * widths.hidden()];
            logits = new float[outputs * weights.head().outputs()];
        }
    }

    /** A matrix product, cut by pairs of panels. */
    private static final class Product implements Team.Job {
        private final Kernels kernels;
        private final float[][] scratch;
        private float[] x = {};
        private int ldx;
        private int rows;
        private float[] y = {};
        private Panels panels;

        Product(Kernels kernels, int threads, int scratchSize) {
            this.kernels = kernels;
            scratch = new float[threads][scratchSize];
            panels = new Panels("none", WeightFormat.F32, 1, 1);
        }

        void of(Team team, Panels by, float[] from, int width, int count, float[] to) {
            panels = by;
            x = from;
            ldx = width;
            rows = count;
            y = to;
            team.run(this);
        }

        @Override
        public void run(int part, int parts) {
            int from = (int) ((long) panels.pairs() * part / parts);
            int to = (int) ((long) panels.pairs() * (part + 1) / parts);
            panels.multiply(kernels, x, ldx, rows, y, panels.outputs(), from, to, scratch[part]);
        }
    }

    @Override
    public StepCost step(StepBatch batch) {
        int rows = batch.rowCount();
        int outputs = check(batch);
        if (rows > buffers.rows || outputs > buffers.outputs) {
            buffers = new Buffers(Math.max(rows, buffers.rows), Math.max(outputs, buffers.outputs));
        }
        Clock clock = new Clock();
        embed(batch);
        for (int i = 0; i < weights.layers().size(); i++) {
            block(i, weights.layers().get(i), batch, clock);
        }
        logits(batch, outputs, clock);
        return cost(batch, outputs, clock);
    }

    /** Times of the stages: each lap goes to one of them. */
    private static final class Clock {
        private long last = System.nanoTime();
        private long gemm;
        private long attention;
        private long other;
        private long logits;

        long lap() {
            long now = System.nanoTime();
            long lap = now - last;
            last = now;
            return lap;
        }
    }

    /** Checks every row before anything is written; returns the rows that want logits. */
    private int check(StepBatch batch) {
        int outputs = 0;
        int last = 0;
        if (logitsRow.length < batch.rowCount()) {
            logitsRow = new int[batch.maxRows()];
        }
        for (int row = 0; row < batch.rowCount(); row++) {
            int position = batch.position(row);
            int token = batch.token(row);
            if (token < 0 || token >= shape.vocab()) {
                throw new IllegalArgumentException("token " + token + " must be below " + shape.vocab());
            }
            if (position < 0 || position >= shape.contextLength()) {
                throw new IllegalArgumentException(
                        "position " + position + " must be below " + shape.contextLength());
            }
            int[] pages = batch.pages(batch.sequence(row));
            if (position / config.pageSize() >= pages.length) {
                throw new IllegalArgumentException(
                        "position " + position + " lies past the sequence's " + pages.length
                                + " pages of " + config.pageSize() + " tokens");
            }
            last = Math.max(last, position);
            logitsRow[row] = batch.wantsLogits(row) ? outputs++ : -1;
        }
        checkPages(batch);
        rope.reach(last);
        return outputs;
    }

    private void checkPages(StepBatch batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
            boolean lastOfSequence = row + 1 == batch.rowCount()
                    || batch.sequence(row + 1) != batch.sequence(row);
            int[] pages = batch.pages(batch.sequence(row));
            for (int i = 0; lastOfSequence && i <= batch.position(row) / config.pageSize(); i++) {
                if (pages[i] < 0 || pages[i] >= config.pages()) {
                    throw new IllegalArgumentException(
                            "page " + pages[i] + " must be below " + config.pages());
                }
            }
        }
    }

    private void embed(StepBatch batch) {
        int last = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            weights.embedding().get(batch.token(row), buffers.hidden, row * widths.hidden());
            last = Math.max(last, batch.position(row));
        }
        attention.begin(batch, buffers.qkv, weights.layers().getFirst().qkv().outputs(), buffers.attended,
                shape.queryDim(), last);
    }

    private void block(int index, Weights.Layer layer, StepBatch batch, Clock clock) {
        int rows = batch.rowCount();
        int width = widths.hidden();
        Buffers b = buffers;
        norm(b.hidden, layer.attentionNorm(), rows, b.normed);
        clock.other += clock.lap();
        product.of(team, layer.qkv(), b.normed, width, rows, b.qkv);
        clock.gemm += clock.lap();
        rotate(batch, layer.qkv().outputs());
        clock.other += clock.lap();
        attention.layer(index);
        attention.write();
        team.run(attention);
        clock.attention += clock.lap();
        product.of(team, layer.output(), b.attended, shape.queryDim(), rows, b.projected);
        clock.gemm += clock.lap();
        kernels.add(b.hidden, 0, b.projected, 0, rows * width);
        norm(b.hidden, layer.ffnNorm(), rows, b.normed);
        clock.other += clock.lap();
        product.of(team, layer.gateUp(), b.normed, width, rows, b.gateUp);
        clock.gemm += clock.lap();
        for (int row = 0; row < rows; row++) {
            int gate = row * layer.gateUp().outputs();
            kernels.gate(b.gateUp, gate, gate + widths.ffn(), widths.ffn(), b.gated, row * widths.ffn());
        }
        clock.other += clock.lap();
        product.of(team, layer.down(), b.gated, widths.ffn(), rows, b.projected);
        clock.gemm += clock.lap();
        kernels.add(b.hidden, 0, b.projected, 0, rows * width);
    }

    private void norm(float[] x, float[] weight, int rows, float[] out) {
        for (int row = 0; row < rows; row++) {
            int at = row * widths.hidden();
            kernels.rmsNorm(x, at, weight, widths.hidden(), shape.hidden(), shape.rmsEps(), out, at);
        }
    }

    private void rotate(StepBatch batch, int rowWidth) {
        for (int row = 0; row < batch.rowCount(); row++) {
            int at = row * rowWidth;
            int position = batch.position(row);
            for (int head = 0; head < shape.queryHeads() + shape.kvHeads(); head++) {
                float factor = head < shape.queryHeads() ? queryFactor : 1;
                rope.rotate(kernels, buffers.qkv, at + head * widths.head(), position, factor);
            }
        }
    }

    private void logits(StepBatch batch, int outputs, Clock clock) {
        int width = widths.hidden();
        for (int row = 0; row < batch.rowCount(); row++) {
            if (logitsRow[row] >= 0) {
                kernels.rmsNorm(buffers.hidden, row * width, weights.outputNorm(), width, shape.hidden(),
                        shape.rmsEps(), buffers.last, logitsRow[row] * width);
            }
        }
        clock.other += clock.lap();
        if (outputs > 0) {
            product.of(team, weights.head(), buffers.last, width, outputs, buffers.logits);
        }
        clock.logits += clock.lap();
    }

    private StepCost cost(StepBatch batch, int outputs, Clock clock) {
        int rows = batch.rowCount();
        long perToken = shape.kvBytesPerToken(Float.BYTES);
        long read = 0;
        long flops = rows * shape.matmulFlops(false) + outputs * 2 * shape.headWeights();
        for (int row = 0; row < rows; row++) {
            boolean lastOfSequence = row + 1 == rows || batch.sequence(row + 1) != batch.sequence(row);
            read += lastOfSequence ? (batch.position(row) + 1) * perToken : 0;
            flops += shape.attentionFlops(batch.position(row) + 1);
        }
        double bytesPerWeight = config.weights().bitsPerWeight() / 8;
        long used = shape.layers() * shape.weightsPerLayer() + (outputs > 0 ? shape.headWeights() : 0);
        return new StepCost(clock.gemm, clock.attention, clock.other, clock.logits,
                (long) (used * bytesPerWeight),
                read, rows * perToken, flops);
    }

    @Override
    public ModelShape shape() {
        return shape;
    }

    @Override
    public DecoderConfig config() {
        return config;
    }

    @Override
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    @Override
    public long weightBytes() {
        return weightBytes;
    }

    @Override
    public float[] logits() {
        return buffers.logits;
    }

    @Override
    public int logitsOffset(int row) {
        if (logitsRow[row] < 0) {
            throw new IllegalArgumentException("row " + row + " did not want logits");
        }
        return logitsRow[row] * weights.head().outputs();
    }

    @Override
    public void close() {
        team.close();
    }
}
