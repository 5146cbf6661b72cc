package dev.assay.model;

import java.util.Optional;

/** In which format a {@code config.json} says the weights are stored. */
final class HfFormats {
    private HfFormats() {}

    static String stored(ConfigFields outer, ConfigFields inner) {
        Optional<ConfigFields> quantized = outer.object("quantization_config")
                .or(() -> inner.object("quantization_config"));
        if (quantized.isPresent()) {
            return quantized(quantized.get());
        }
        String dtype = outer.text("torch_dtype").or(() -> outer.text("dtype"))
                .or(() -> inner.text("torch_dtype")).or(() -> inner.text("dtype")).orElse("bfloat16");
        return switch (dtype) {
            case "bfloat16", "auto" -> "bf16";
            case "float16" -> "f16";
            case "float32" -> "f32";
            default -> throw outer.fault("torch_dtype",
                    "is '" + dtype + "'; expected bfloat16, float16 or float32");
        };
    }

    private static String quantized(ConfigFields q) {
        String method = q.text("quant_method")
                .orElseThrow(() -> q.missing("quant_method", "the name of a method"));
        return switch (method) {
            case "fp8", "fbgemm_fp8" -> q.has("weight_block_size") ? "fp8_block" : "fp8";
            case "mxfp4" -> "mxfp4";
            case "awq", "awq_marlin" -> integer4(q, q.flag("zero_point", true));
            case "gptq", "gptq_marlin" -> integer4(q, !q.flag("sym", true));
            case "modelopt", "modelopt_fp4" -> q.text("quant_algo").orElse("NVFP4").equals("FP8")
                    ? "fp8"
                    : "nvfp4";
            case "compressed-tensors" -> compressed(q);
            default -> throw q.fault("quant_method", "is '" + method
                    + "'; expected fp8, fbgemm_fp8, mxfp4, awq, gptq, modelopt or compressed-tensors");
        };
    }

    private static String integer4(ConfigFields q, boolean zero) {
        int bits = q.either("bits", "w_bit");
        int group = q.optional("group_size", -1).orElseGet(() -> q.integer("q_group_size", 1, 128));
        if (bits != 4 || group != 128) {
            throw q.fault("bits", "is " + bits + " in groups of " + group
                    + "; expected 4 in groups of 128, the format that is modelled");
        }
        return zero ? "int4_g128_zero" : "int4_g128";
    }

    /** The first group's weights decide; files with several kinds are rare and differ in few layers. */
    private static String compressed(ConfigFields q) {
        ConfigFields groups = q.object("config_groups")
                .orElseThrow(() -> q.missing("config_groups", "the groups of compressed-tensors"));
        String first = groups.all().keySet().stream().findFirst()
                .orElseThrow(() -> q.fault("config_groups", "is empty; expected at least one group"));
        ConfigFields group = groups.object(first)
                .orElseThrow(() -> groups.missing(first, "a group"));
        ConfigFields weights = group.object("weights")
                .orElseThrow(() -> group.missing("weights", "a scheme"));
        int bits = weights.integer("num_bits");
        String kind = weights.text("type").orElse("int");
        int size = weights.optional("group_size", -1).orElse(-1);
        if (kind.equals("float")) {
            return switch (bits) {
                case 8 -> weights.text("strategy").orElse("channel").equals("block") ? "fp8_block" : "fp8";
                case 4 -> size == 32 ? "mxfp4" : "nvfp4";
                default -> throw weights.fault("num_bits", "is " + bits + "; expected 4 or 8 for floats");
            };
        }
        return switch (bits) {
            case 8 -> "int8";
            case 4 -> weights.flag("symmetric", true) ? "int4_g128" : "int4_g128_zero";
            default -> throw weights.fault("num_bits", "is " + bits + "; expected 4 or 8");
        };
    }
}
