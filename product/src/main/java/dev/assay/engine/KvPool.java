package dev.assay.engine;

import dev.assay.AssayException;
import dev.assay.model.ModelShape;

/**
 * Keys and values of all layers, in pages. Within a page each KV head has its keys in tiles of 16 tokens,
 * {@code [tile][dim][16]}, and its values as {@code [token][dim]}; the tile is the smallest page, so that the page size
 * changes where a tile lies but not how it is read.
 */
final class KvPool {
    private final float[][] keys;
    private final float[][] values;
    private final int pages;
    private final int pageSize;
    private final int headWidth;
    private final int kvHeads;

    KvPool(ModelShape shape, int headWidth, int pages, int pageSize) {
        this.pages = pages;
        this.pageSize = pageSize;
        this.headWidth = headWidth;
        this.kvHeads = shape.kvHeads();
        long size = (long) pages * pageSize * kvHeads * headWidth;
        long bytes = 2L * Float.BYTES * shape.layers() * size;
        if (size > Integer.MAX_VALUE - 64) {
            throw AssayException.misuse("KV pool of " + pages + " pages of " + pageSize
                    + " tokens is too large: expected fewer than 2^31 values in a layer");
        }
        try {
            keys = new float[shape.layers()][(int) size];
            values = new float[shape.layers()][(int) size];
        } catch (OutOfMemoryError e) {
            throw AssayException
                    .environment("KV pool of " + pages + " pages of " + pageSize + " tokens needs "
                            + (bytes >> 20) + " MiB: expected them to fit the Java heap of "
                            + (Runtime.getRuntime().maxMemory() >> 20) + " MiB (-Xmx)", e);
        }
    }

    int pages() {
        return pages;
    }

    float[] keys(int layer) {
        return keys[layer];
    }

    float[] values(int layer) {
        return values[layer];
    }

    /** Where the key tile of the token at {@code inPage}, of one head, starts. */
    int keyTile(int page, int head, int inPage) {
        return ((page * kvHeads + head) * pageSize + inPage / Kernels.FOLD * Kernels.FOLD) * headWidth;
    }

    /** Where the value of the token at {@code inPage}, of one head, starts. */
    int value(int page, int head, int inPage) {
        return ((page * kvHeads + head) * pageSize + inPage) * headWidth;
    }

    /** Writes key and value of one token: {@code row[k0 ..]} and {@code row[v0 ..]} hold the heads one after another. */
    void write(int layer, int page, int inPage, float[] row, int k0, int v0) {
        float[] k = keys[layer];
        for (int head = 0; head < kvHeads; head++) {
            int tile = keyTile(page, head, inPage) + inPage % Kernels.FOLD;
            for (int d = 0; d < headWidth; d++) {
                k[tile + d * Kernels.FOLD] = row[k0 + head * headWidth + d];
            }
            System.arraycopy(row, v0 + head * headWidth, values[layer], value(page, head, inPage), headWidth);
        }
    }
}
