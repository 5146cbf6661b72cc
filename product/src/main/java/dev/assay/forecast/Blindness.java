package dev.assay.forecast;

import dev.assay.AssayException;
import java.util.List;
import java.util.TreeSet;

/**
 * Refuses to predict through a setting that the forecast ignores: its answer would be "no effect" whatever the truth.
 */
public final class Blindness {
    /** The settings whose effect the forecast models. */
    public static final List<String> SEEN = List.of("max_num_seqs", "max_num_batched_tokens", "block_size",
            "num_blocks", "weights");
    /** Settings that differ between engines or arms in practice and that the forecast does not model yet. */
    public static final List<String> IGNORED = List.of("kv", "threads", "tensor_parallel_size",
            "enable_prefix_caching", "watermark", "speculative_tokens", "gpu_memory_utilization");

    private Blindness() {}

    /**
     * Checks that the arms differ in modelled settings alone.
     *
     * @param changedKnobs names of other settings in which the arms differ
     * @throws AssayException naming the settings that would have to be ignored
     */
    public static void check(EngineSettings baseline, EngineSettings candidate, List<String> changedKnobs) {
        TreeSet<String> blind = new TreeSet<>(changedKnobs);
        SEEN.forEach(blind::remove);
        if (baseline.kv() != candidate.kv()) {
            blind.add("kv");
        }
        if (!blind.isEmpty()) {
            throw AssayException.misuse("the arms differ in " + String.join(", ", blind)
                    + ", which the forecast ignores; expected changes of " + String.join(", ", SEEN)
                    + " only");
        }
    }
}
