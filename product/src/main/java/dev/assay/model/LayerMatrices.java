package dev.assay.model;

import dev.assay.model.Matrix.Role;
import dev.assay.model.Matrix.Split;
import java.util.ArrayList;
import java.util.List;

/** The matrices of one kind of layer. */
final class LayerMatrices {
    private LayerMatrices() {}

    static List<Matrix> of(DecoderSpec spec, LayerRun run) {
        List<Matrix> all = new ArrayList<>();
        int n = run.count();
        if (run.norms() > 0) {
            all.add(DecoderSpec.vector(spec.hidden(), (long) run.norms() * n));
        }
        switch (run.attention()) {
            case AttentionSpec.Grouped g -> grouped(all, g, spec.hidden(), n);
            case AttentionSpec.Latent l -> latent(all, l, spec.hidden(), n);
        }
        switch (run.feedForward()) {
            case FeedForward.Dense d -> gated(all, Role.DENSE, Split.EVEN, spec.hidden(), d.inner(), n);
            case FeedForward.Mixture m -> mixture(all, m, spec.hidden(), n);
        }
        return all;
    }

    private static void grouped(List<Matrix> all, AttentionSpec.Grouped g, int hidden, int n) {
        int queries = Math.multiplyExact(g.queryHeads(), g.headDim());
        int keys = Math.multiplyExact(g.kvHeads(), g.headDim());
        all.add(new Matrix(Role.ATTENTION, Split.EVEN, queries, hidden, n));
        all.add(new Matrix(Role.ATTENTION, Split.KV_HEADS, keys, hidden, 2L * n));
        all.add(new Matrix(Role.ATTENTION, Split.EVEN, hidden, queries, n));
        if (g.bias()) {
            all.add(DecoderSpec.vector(queries, n));
            all.add(DecoderSpec.vector(keys, 2L * n));
        }
        if (g.headNorms()) {
            all.add(DecoderSpec.vector(g.headDim(), 2L * n));
        }
    }

    private static void latent(List<Matrix> all, AttentionSpec.Latent l, int hidden, int n) {
        int queries = Math.multiplyExact(l.queryHeads(), l.nopeDim() + l.ropeDim());
        if (l.queryRank() > 0) {
            all.add(new Matrix(Role.ATTENTION, Split.COPIED, l.queryRank(), hidden, n));
            all.add(DecoderSpec.vector(l.queryRank(), n));
            all.add(new Matrix(Role.ATTENTION, Split.EVEN, queries, l.queryRank(), n));
        } else {
            all.add(new Matrix(Role.ATTENTION, Split.EVEN, queries, hidden, n));
        }
        all.add(new Matrix(Role.ATTENTION, Split.COPIED, l.kvRank() + l.ropeDim(), hidden, n));
        all.add(DecoderSpec.vector(l.kvRank(), n));
        all.add(new Matrix(Role.ATTENTION, Split.EVEN,
                Math.multiplyExact(l.queryHeads(), l.nopeDim() + l.valueDim()), l.kvRank(), n));
        all.add(new Matrix(Role.ATTENTION, Split.EVEN, hidden,
                Math.multiplyExact(l.queryHeads(), l.valueDim()), n));
    }

    private static void mixture(List<Matrix> all, FeedForward.Mixture m, int hidden, int n) {
        all.add(new Matrix(Role.ROUTER, Split.COPIED, m.experts(), hidden, n));
        gated(all, Role.EXPERT, Split.EXPERTS, hidden, m.inner(), (long) n * m.experts());
        if (m.biases()) {
            all.add(DecoderSpec.vector(m.experts(), n));
            all.add(DecoderSpec.vector(2 * m.inner() + hidden, (long) n * m.experts()));
        }
        if (m.sharedInner() > 0) {
            gated(all, Role.SHARED_EXPERT, Split.EVEN, hidden, m.sharedInner(), n);
        }
        if (m.sharedGate()) {
            all.add(DecoderSpec.vector(hidden, n));
        }
    }

    private static void gated(List<Matrix> all, Role role, Split split, int hidden, int inner, long count) {
        all.add(new Matrix(role, split, inner, hidden, 2 * count));
        all.add(new Matrix(role, split, hidden, inner, count));
    }
}
