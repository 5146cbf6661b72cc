package dev.assay.engine;

import dev.assay.model.ModelShape;

/**
 * Attention of one step's rows over their pages. One unit of work is a row and a KV head with the query heads that share
 * it. Scores, softmax and the sum of values go by absolute token index, so that neither pages nor chunks change a bit.
 */
final class Attention implements Team.Job {
    private final Kernels kernels;
    private final ModelShape shape;
    private final KvPool pool;
    private final int pageSize;
    private final int headWidth;
    private final int group;
    private final float[][] scores;
    private final float[][] sums;
    private int scoreWidth;

    private StepBatch batch = new StepBatch(1, 1);
    private float[] qkv = {};
    private float[] out = {};
    private int ldq;
    private int ldo;
    private int layer;

    Attention(Kernels kernels, ModelShape shape, KvPool pool, int pageSize, int headWidth, int threads) {
        this.kernels = kernels;
        this.shape = shape;
        this.pool = pool;
        this.pageSize = pageSize;
        this.headWidth = headWidth;
        group = shape.queryHeads() / shape.kvHeads();
        scores = new float[threads][0];
        sums = new float[threads][group * headWidth];
    }

    /** Sets up the step: query, key, value rows in {@code qkv}, results to {@code out}, positions up to {@code last}. */
    void begin(StepBatch next, float[] qkvRows, int qkvWidth, float[] outRows, int outWidth, int last) {
        batch = next;
        qkv = qkvRows;
        ldq = qkvWidth;
        out = outRows;
        ldo = outWidth;
        int needed = (last / Kernels.PAIR + 1) * Kernels.PAIR;
        if (needed > scoreWidth) {
            scoreWidth = Math.max(needed, 2 * scoreWidth);
            for (int i = 0; i < scores.length; i++) {
                scores[i] = new float[group * scoreWidth];
            }
        }
    }

    void layer(int index) {
        layer = index;
    }

    /** Writes the keys and values of all rows of the layer into their pages. */
    void write() {
        int k0 = shape.queryHeads() * headWidth;
        int v0 = k0 + shape.kvHeads() * headWidth;
        for (int row = 0; row < batch.rowCount(); row++) {
            int position = batch.position(row);
            int page = batch.pages(batch.sequence(row))[position / pageSize];
            pool.write(layer, page, position % pageSize, qkv, row * ldq + k0, row * ldq + v0);
        }
    }

    @Override
    public void run(int part, int parts) {
        int units = batch.rowCount() * shape.kvHeads();
        int from = (int) ((long) units * part / parts);
        int to = (int) ((long) units * (part + 1) / parts);
        for (int unit = from; unit < to; unit++) {
            unit(unit / shape.kvHeads(), unit % shape.kvHeads(), scores[part], sums[part]);
        }
    }

    private void unit(int row, int kvHead, float[] s, float[] sum) {
        int[] pages = batch.pages(batch.sequence(row));
        int tokens = batch.position(row) + 1;
        scores(pages, tokens, row * ldq + kvHead * group * headWidth, kvHead, s);
        float[] totals = new float[group];
        for (int g = 0; g < group; g++) {
            totals[g] = kernels.softmax(s, g * scoreWidth, tokens);
        }
        values(pages, tokens, kvHead, s, sum);
        for (int g = 0; g < group; g++) {
            kernels.scale(sum, g * headWidth, 1 / totals[g], headWidth, sum, g * headWidth);
            System.arraycopy(sum, g * headWidth, out, row * ldo + (kvHead * group + g) * shape.headDim(),
                    shape.headDim());
        }
    }

    private void scores(int[] pages, int tokens, int q0, int kvHead, float[] s) {
        float[] keys = pool.keys(layer);
        for (int t = 0; t < tokens; t += Kernels.PAIR) {
            int a = tile(pages, t, kvHead);
            int b = t + Kernels.FOLD < tokens ? tile(pages, t + Kernels.FOLD, kvHead) : a;
            kernels.pair(keys, a, b, Kernels.FOLD, headWidth, qkv, q0, headWidth, group, s, t, scoreWidth,
                    false);
        }
    }

    private int tile(int[] pages, int token, int kvHead) {
        return pool.keyTile(pages[token / pageSize], kvHead, token % pageSize);
    }

    private void values(int[] pages, int tokens, int kvHead, float[] s, float[] sum) {
        float[] values = pool.values(layer);
        for (int t = 0; t < tokens; t += pageSize) {
            int start = pool.value(pages[t / pageSize], kvHead, 0);
            int count = Math.min(pageSize, tokens - t);
            for (int d = 0; d < headWidth; d += Kernels.PAIR) {
                kernels.pair(values, start + d, start + d + Kernels.FOLD, headWidth, count, s, t, scoreWidth,
                        group,
                        sum, d, headWidth, t > 0);
            }
        }
    }
}
