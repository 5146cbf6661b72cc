package dev.assay.forecast.arith;

import dev.assay.model.DecoderSpec;
import dev.assay.model.Matrix;
import dev.assay.model.Matrix.Role;
import java.util.EnumMap;
import java.util.Map;

/**
 * In which format each part of a model is kept. Quantizers leave embeddings, output head and routers in 16 bits, ggml
 * quantizes them too, MXFP4 is used for experts alone.
 *
 * @param main the format that names the plan
 * @param formats by role
 * @param storedBits bits by role where a file lists its tensors; they win over the formats
 */
public record WeightPlan(QuantFormat main, Map<Role, QuantFormat> formats, Map<Role, Double> storedBits) {
    public WeightPlan {
        formats = Map.copyOf(formats);
        storedBits = Map.copyOf(storedBits);
    }

    /** The usual plan of a format. */
    public static WeightPlan of(QuantFormat format) {
        Map<Role, QuantFormat> formats = new EnumMap<>(Role.class);
        QuantFormat rest = format == QuantFormat.F32 || format == QuantFormat.F16 ? format : QuantFormat.BF16;
        for (Role role : Role.values()) {
            boolean quantized = switch (role) {
                case EMBEDDING, HEAD -> format.ggml();
                case ROUTER -> false;
                case ATTENTION, DENSE, SHARED_EXPERT -> format != QuantFormat.MXFP4;
                case EXPERT -> true;
                case VECTOR -> false;
            };
            formats.put(role, quantized ? format : format.ggml() ? QuantFormat.F32 : rest);
        }
        return new WeightPlan(format, formats, Map.of());
    }

    /** The plan of a file that lists its tensors, else that of the format it names. */
    public static WeightPlan stored(DecoderSpec spec) {
        if (spec.storedBits().isEmpty()) {
            return of(QuantFormat.named(spec.stored(), spec.name() + ": stored format"));
        }
        double bits = spec.storedBits().getOrDefault(Role.DENSE,
                spec.storedBits().getOrDefault(Role.EXPERT, 16.0));
        QuantFormat nearest = QuantFormat.BF16;
        for (QuantFormat f : QuantFormat.values()) {
            if ((f.ggml() || f == QuantFormat.F32)
                    && Math.abs(f.bits() - bits) < Math.abs(nearest.bits() - bits) - 1e-9) {
                nearest = f;
            }
        }
        return new WeightPlan(nearest, of(nearest).formats(), spec.storedBits());
    }

    /** Bytes of all matrices of a kind. */
    public double bytes(Matrix m) {
        Double bits = storedBits.get(m.role());
        if (bits != null) {
            return m.parameters() * bits / 8;
        }
        QuantFormat format = java.util.Objects.requireNonNull(formats.get(m.role()));
        return format.bytes(m.rows(), m.columns()) * m.count();
    }

    /** Bytes of a whole model. */
    public double bytes(DecoderSpec spec) {
        return spec.matrices().stream().mapToDouble(this::bytes).sum();
    }
}
