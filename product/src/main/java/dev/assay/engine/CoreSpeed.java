package dev.assay.engine;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** What one core can do at most: bytes read per second and fused multiply-adds per second, each the best of a few runs. */
final class CoreSpeed {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LANES = VectorTiles.LANES;
    private static final int REPEATS = 12;
    private static final int STEPS = 400_000;
    private static final int ACCUMULATORS = 10;
    private static final int FLOPS_PER_FMA = 2;

    private CoreSpeed() {}

    /** Bytes per second of reading {@code bytes} front to back, of memory that was read just before. */
    static double readBandwidth(long bytes) {
        float[] buffer = new float[(int) Math.min(bytes / Float.BYTES, Integer.MAX_VALUE - 8)];
        double best = 0;
        for (int i = 0; i < REPEATS; i++) {
            long start = System.nanoTime();
            consume(sum(buffer));
            best = Math.max(best, buffer.length * (double) Float.BYTES / (System.nanoTime() - start) * 1e9);
        }
        return best;
    }

    private static float sum(float[] buffer) {
        FloatVector a = FloatVector.zero(SPECIES);
        FloatVector b = a;
        FloatVector c = a;
        FloatVector d = a;
        for (int i = 0; i + 4 * LANES <= buffer.length; i += 4 * LANES) {
            a = a.add(FloatVector.fromArray(SPECIES, buffer, i));
            b = b.add(FloatVector.fromArray(SPECIES, buffer, i + LANES));
            c = c.add(FloatVector.fromArray(SPECIES, buffer, i + 2 * LANES));
            d = d.add(FloatVector.fromArray(SPECIES, buffer, i + 3 * LANES));
        }
        return a.add(b).add(c.add(d)).lane(0);
    }

    /** Operations per second of independent fused multiply-adds in registers. */
    static double fmaPeak() {
        double best = 0;
        for (int i = 0; i < REPEATS; i++) {
            long start = System.nanoTime();
            consume(chains(STEPS));
            double flops = (double) STEPS * ACCUMULATORS * LANES * FLOPS_PER_FMA;
            best = Math.max(best, flops / (System.nanoTime() - start) * 1e9);
        }
        return best;
    }

    private static float chains(int steps) {
        FloatVector x = FloatVector.broadcast(SPECIES, 0.999f);
        FloatVector y = FloatVector.broadcast(SPECIES, 0.001f);
        FloatVector a = y;
        FloatVector b = y;
        FloatVector c = y;
        FloatVector d = y;
        FloatVector e = y;
        FloatVector f = y;
        FloatVector g = y;
        FloatVector h = y;
        FloatVector i = y;
        FloatVector j = y;
        for (int n = 0; n < steps; n++) {
            a = a.fma(x, y);
            b = b.fma(x, y);
            c = c.fma(x, y);
            d = d.fma(x, y);
            e = e.fma(x, y);
            f = f.fma(x, y);
            g = g.fma(x, y);
            h = h.fma(x, y);
            i = i.fma(x, y);
            j = j.fma(x, y);
        }
        return a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).add(i).add(j).lane(0);
    }

    /** Keeps a result alive, so that the work for it is not removed. */
    private static void consume(float value) {
        if (Float.isNaN(value)) {
            throw new IllegalStateException("a speed measurement produced no number");
        }
    }
}
