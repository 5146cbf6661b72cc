package dev.assay.load.imported;

import java.util.Locale;

/** Whose result a file holds. */
public enum Tool {
    ASSAY("Assay"), VLLM("vllm bench serve"), SGLANG("SGLang bench_serving"), AIPERF("AIPerf"), GUIDELLM(
            "GuideLLM"), INFERENCE_PERF("inference-perf"), LOADGEN("MLPerf LoadGen"), ENDPOINTS(
                    "MLCommons endpoints"), LLM_D("llm-d benchmark report"), INFERENCEX("InferenceX");

    private final String label;

    Tool(String label) {
        this.label = label;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** The constant in lower case, as files name it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
