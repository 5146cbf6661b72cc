package dev.assay.forecast.arith;

import dev.assay.AssayException;
import dev.assay.model.AttentionSpec;
import dev.assay.model.DecoderSpec;
import dev.assay.model.FeedForward;
import dev.assay.model.LayerRun;

/**
 * How a model is spread over devices.
 *
 * @param tensor devices that share each matrix
 * @param pipeline stages, each with a part of the layers
 * @param data copies of attention, each with its own requests
 * @param experts devices over which whole experts are spread; 1 where each expert is shared by tensor parallelism
 */
public record Parallelism(int tensor, int pipeline, int data, int experts) {
    /** One device. */
    public static final Parallelism ONE = new Parallelism(1, 1, 1, 1);

    public Parallelism {
        if (tensor < 1 || pipeline < 1 || data < 1 || experts < 1) {
            throw new IllegalArgumentException(
                    "tensor " + tensor + ", pipeline " + pipeline + ", data " + data
                            + ", experts " + experts + "; expected at least 1 each");
        }
    }

    /** All devices. */
    public int devices() {
        return tensor * pipeline * data;
    }

    /** Checks that a model can be spread so; the fault begins with {@code where}. */
    public void check(DecoderSpec spec, String where) {
        if (pipeline > spec.layerCount()) {
            throw AssayException.misuse(where + ": pipeline parallel size is " + pipeline
                    + "; expected at most the model's layers, " + spec.layerCount());
        }
        for (LayerRun run : spec.layers()) {
            AttentionSpec a = run.attention();
            if (a.queryHeads() % tensor != 0) {
                throw AssayException.misuse(where + ": tensor parallel size is " + tensor
                        + "; expected a divisor of the model's attention heads, " + a.queryHeads());
            }
            if (a instanceof AttentionSpec.Grouped g && g.kvHeads() % tensor != 0
                    && tensor % g.kvHeads() != 0) {
                throw AssayException.misuse(where + ": tensor parallel size is " + tensor
                        + "; expected a divisor or a multiple of the model's key/value heads, "
                        + g.kvHeads());
            }
            if (experts > 1 && run.feedForward() instanceof FeedForward.Mixture m
                    && m.experts() % experts != 0) {
                throw AssayException.misuse(where + ": expert parallel size is " + experts
                        + "; expected a divisor of the model's experts, " + m.experts());
            }
        }
        if (experts > 1 && spec.mixtures().findAny().isEmpty()) {
            throw AssayException.misuse(where + ": expert parallel size is " + experts + "; expected 1, as "
                    + spec.name() + " has no experts");
        }
        if (experts > 1 && experts != tensor * data) {
            throw AssayException.misuse(where + ": expert parallel size is " + experts
                    + "; expected tensor times data parallel size, " + tensor * data);
        }
    }

    /** Bytes that each device puts on the wire in a ring all-reduce of {@code payload} bytes: 2(t-1)/t of them. */
    public static double ringBytes(double payload, int devices) {
        return 2.0 * (devices - 1) / devices * payload;
    }

    /** Bytes that each device sends in one all-to-all of {@code tokens} tokens to {@code topK} experts each. */
    public static double allToAllBytes(double tokens, int topK, double bytesPerToken, int devices) {
        return tokens * Math.min(topK, devices) * bytesPerToken * (devices - 1) / devices;
    }
}
