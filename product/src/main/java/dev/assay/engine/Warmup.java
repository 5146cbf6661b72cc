package dev.assay.engine;

import dev.assay.model.WeightFormat;

/**
 * Runs every kernel on a little data while the weights are being packed, so that the first tokens do not wait for
 * vector code that is still interpreted (each vector operation then allocates, a thousand times slower).
 */
final class Warmup {
    /** Rounds after which the launcher's compile thresholds for {@code dev.assay.engine.Vector*} are passed. */
    private static final int ROUNDS = 120;
    private static final int INPUTS = 32;
    private static final int ROWS = 7;

    private final Kernels kernels;
    private final WeightFormat format;
    private final float[] x = new float[ROWS * Kernels.PAIR * INPUTS];
    private final float[] y = new float[ROWS * Kernels.PAIR];

    private Warmup(Kernels kernels, WeightFormat format) {
        this.kernels = kernels;
        this.format = format;
    }

    /** Starts the warm-up; join the thread before the first step. */
    static Thread start(Kernels kernels, WeightFormat format) {
        Thread thread = new Thread(new Warmup(kernels, format)::run, "assay-warmup");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void run() {
        short[] halves = new short[Kernels.PAIR * INPUTS];
        byte[] quants = new byte[halves.length];
        for (int round = 0; round < ROUNDS; round++) {
            elementwise();
            switch (format) {
                case F32 -> {
                }
                case BF16 -> kernels.widenBf16(halves, 0, halves.length, x);
                case F16 -> kernels.widenF16(halves, 0, halves.length, x);
                case Q8_0 -> kernels.widenQ8(quants, 0, halves, 0, halves.length, x);
            }
            for (int rows = 1; rows <= ROWS + 1; rows++) {
                products(Math.min(rows, ROWS), rows > ROWS);
            }
        }
    }

    private void elementwise() {
        kernels.rmsNorm(x, 0, y, Kernels.PAIR, Kernels.PAIR, 1, x, 0);
        kernels.softmax(y, 0, Kernels.PAIR - 1);
        kernels.gate(x, 0, Kernels.PAIR, Kernels.PAIR, y, 0);
        kernels.add(x, 0, y, 0, Kernels.PAIR);
        kernels.scale(x, 0, 1, Kernels.PAIR, y, 0);
        kernels.rotate(x, 0, Kernels.FOLD, y, y, 0, 1);
    }

    private void products(int rows, boolean add) {
        kernels.pair(x, 0, Kernels.FOLD * INPUTS, Kernels.FOLD, INPUTS, x, 0, INPUTS, rows, y, 0,
                Kernels.PAIR, add);
    }
}
