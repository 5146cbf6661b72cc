package dev.assay.forecast.engines;

import dev.assay.forecast.arith.QuantFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Values of options that engines share. */
final class Defaults {
    private Defaults() {}

    /** A number; where the command leaves it out the default is noted. */
    static int integer(Options o, String name, int least, int otherwise, List<String> noted) {
        OptionalInt given = o.integer(name, least);
        if (given.isEmpty()) {
            noted.add(name + "=" + otherwise);
        }
        return given.orElse(otherwise);
    }

    /** The format of keys and values; {@code auto} is that of the activations. */
    static Optional<QuantFormat> kv(Options o, String name) {
        Optional<String> text = o.text(name);
        if (text.isEmpty() || text.get().equals("auto")) {
            return Optional.empty();
        }
        return Optional.of(switch (text.get()) {
            case "fp8", "fp8_e4m3", "fp8_e5m2", "fp8_inc" -> QuantFormat.FP8;
            case "bfloat16", "bf16" -> QuantFormat.BF16;
            case "float16", "f16" -> QuantFormat.F16;
            case "f32" -> QuantFormat.F32;
            case "int8" -> QuantFormat.INT8;
            case "fp4_e2m1" -> QuantFormat.NVFP4;
            case "q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "iq4_nl" -> QuantFormat.named(text.get(), name);
            default ->
                throw o.fault(name, "auto, bfloat16, fp8, fp8_e4m3, fp8_e5m2, int8 or a format of ggml");
        });
    }
}
