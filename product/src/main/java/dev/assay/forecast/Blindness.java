package dev.assay.forecast;

import dev.assay.AssayException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Refuses to predict through a setting that the forecast ignores: its answer would be "no effect" whatever the truth.
 */
public final class Blindness {
    /** The settings whose effect the forecast models. */
    public static final List<String> SEEN = List.of("max_num_seqs", "max_num_batched_tokens", "block_size",
            "num_blocks", "weights", "kv", "enable_prefix_caching", "tensor_parallel_size",
            "speculative_tokens", "decode_epilogue", "collective_path");
    /** Settings that differ between engines or arms in practice and that the forecast does not model. */
    public static final List<String> IGNORED = List.of("threads", "watermark", "gpu_memory_utilization",
            "pipeline_parallel_size", "data_parallel_size", "enable_expert_parallel", "max_model_len",
            "scheduling_policy", "async_scheduling", "enforce_eager", "compilation_config",
            "attention_backend",
            "cpu_offload_gb", "swap_space", "ubatch_size", "enable_chunked_prefill");

    private Blindness() {}

    /**
     * Checks that the arms differ in modelled settings alone, where nothing was measured beside the server.
     *
     * @param changedKnobs names of other settings in which the arms differ
     * @throws AssayException naming the settings that would have to be ignored
     */
    public static void check(EngineSettings baseline, EngineSettings candidate, List<String> changedKnobs) {
        check(baseline, candidate, LocalMeasurements.NONE, changedKnobs);
    }

    /** The same, with what the author measured. */
    public static void check(EngineSettings baseline, EngineSettings candidate, LocalMeasurements measured,
            List<String> changedKnobs) {
        TreeSet<String> blind = new TreeSet<>(changedKnobs);
        SEEN.forEach(blind::remove);
        Map<String, String> before = baseline.other().orElse(Map.of());
        Map<String, String> after = candidate.other().orElse(Map.of());
        TreeSet<String> named = new TreeSet<>(before.keySet());
        named.addAll(after.keySet());
        named.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
        blind.addAll(named);
        if (!blind.isEmpty()) {
            throw AssayException.misuse("the arms differ in " + String.join(", ", blind)
                    + ", which the forecast ignores; expected changes of " + String.join(", ", SEEN)
                    + " only");
        }
        measuredWhereNeeded(baseline, candidate, measured);
    }

    /** Changes whose size no run of the baseline contains. */
    private static void measuredWhereNeeded(EngineSettings baseline, EngineSettings candidate,
            LocalMeasurements measured) {
        if (!baseline.decodeEpilogue().equals(candidate.decodeEpilogue()) && measured.epilogue().isEmpty()) {
            throw missing("decode_epilogue", "measured.epilogue: the kernels' share of a decode step and"
                    + " their speed-up, with intervals");
        }
        boolean path = !baseline.collectivePath().equals(candidate.collectivePath());
        boolean both = measured.collectives().isPresent()
                && measured.collectives().get().baseline().isPresent()
                && measured.collectives().get().candidate().isPresent();
        if (path && !both) {
            throw missing("collective_path", "measured.collectives: alpha and rate of both paths");
        }
        if (path && candidate.devices() == 1) {
            throw AssayException.misuse("the arms differ in collective_path and the candidate's"
                    + " tensor_parallel_size is 1: one device has no collectives; expected 2 or more");
        }
        if (baseline.speculativeTokens().equals(candidate.speculativeTokens())) {
            return;
        }
        if (baseline.speculativeTokens().isPresent()) {
            throw AssayException.misuse("the arms differ in speculative_tokens and the baseline drafts: its"
                    + " steps cannot be read from bursts of tokens; expected drafting in the candidate only");
        }
        if (measured.speculation().isEmpty()) {
            throw missing("speculative_tokens", "measured.speculation: acceptance and draft cost, with"
                    + " intervals");
        }
    }

    private static AssayException missing(String knob, String expected) {
        return AssayException.misuse("the arms differ in " + knob
                + ", whose effect no run of the baseline contains; expected " + expected);
    }
}
