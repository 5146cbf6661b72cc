package dev.assay.model;

import dev.assay.json.Json;

/** Facts of public models, written down here from their documentation; no copied files. */
public final class Configs {
    public static final String LLAMA_3_1_8B = llama(32, 4096, 32, 8, 14336, 128256, "");
    public static final String LLAMA_3_1_70B = llama(80, 8192, 64, 8, 28672, 128256, "");
    public static final String LLAMA_2_7B = llama(32, 4096, 32, 32, 11008, 32000, "");
    public static final String LLAMA_2_13B = llama(40, 5120, 40, 40, 13824, 32000, "");
    public static final String LLAMA_2_70B = llama(80, 8192, 64, 8, 28672, 32000, "");
    public static final String QWEN3_32B = json("qwen3", 64, 5120, 64, 8, 25600, 151936,
            ",'head_dim':128");
    public static final String QWEN2_5_7B = json("qwen2", 28, 3584, 28, 4, 18944, 152064,
            ",'use_sliding_window':false,'sliding_window':131072,'max_window_layers':28");
    public static final String QWEN3_30B_A3B = json("qwen3_moe", 48, 2048, 32, 4, 6144, 151936,
            ",'head_dim':128,'num_experts':128,'num_experts_per_tok':8,'moe_intermediate_size':768,"
                    + "'decoder_sparse_step':1,'mlp_only_layers':[]");
    public static final String MISTRAL_7B = json("mistral", 32, 4096, 32, 8, 14336, 32000,
            ",'sliding_window':4096");
    public static final String MISTRAL_SMALL_24B = json("mistral", 40, 5120, 32, 8, 32768, 131072,
            ",'head_dim':128,'sliding_window':null");
    public static final String MIXTRAL_8X7B = json("mixtral", 32, 4096, 32, 8, 14336, 32000,
            ",'num_local_experts':8,'num_experts_per_tok':2,'sliding_window':null");
    public static final String DEEPSEEK_V3 = json("deepseek_v3", 61, 7168, 128, 128, 18432, 129280,
            ",'q_lora_rank':1536,'kv_lora_rank':512,'qk_rope_head_dim':64,'qk_nope_head_dim':128,"
                    + "'v_head_dim':128,'n_routed_experts':256,'n_shared_experts':1,'num_experts_per_tok':8,"
                    + "'moe_intermediate_size':2048,'first_k_dense_replace':3,'moe_layer_freq':1,"
                    + "'quantization_config':{'quant_method':'fp8','weight_block_size':[128,128]}");
    public static final String DEEPSEEK_V2_LITE = json("deepseek_v2", 27, 2048, 16, 16, 10944, 102400,
            ",'q_lora_rank':null,'kv_lora_rank':512,'qk_rope_head_dim':64,'qk_nope_head_dim':128,"
                    + "'v_head_dim':128,'n_routed_experts':64,'n_shared_experts':2,'num_experts_per_tok':6,"
                    + "'moe_intermediate_size':1408,'first_k_dense_replace':1,'moe_layer_freq':1");
    public static final String GEMMA_2_9B = json("gemma2", 42, 3584, 16, 8, 14336, 256000,
            ",'head_dim':256,'sliding_window':4096").replace(",\"tie_word_embeddings\":false", "");
    public static final String GEMMA_3_12B = "{\"model_type\":\"gemma3\",\"text_config\":"
            + json("gemma3_text", 48,
                    3840, 16, 8, 15360, 262208,
                    ",'head_dim':256,'sliding_window':1024,'sliding_window_pattern':6")
                    .replace(",\"tie_word_embeddings\":false", "")
            + "}";
    public static final String GPT_OSS_20B = json("gpt_oss", 24, 2880, 64, 8, 2880, 201088,
            ",'head_dim':64,'num_local_experts':32,'num_experts_per_tok':4,'sliding_window':128,"
                    + "'quantization_config':{'quant_method':'mxfp4'}");
    public static final String GPT_OSS_120B = json("gpt_oss", 36, 2880, 64, 8, 2880, 201088,
            ",'head_dim':64,'num_local_experts':128,'num_experts_per_tok':4,'sliding_window':128,"
                    + "'quantization_config':{'quant_method':'mxfp4'}");
    public static final String PHI_3_MINI = json("phi3", 32, 3072, 32, 32, 8192, 32064,
            ",'sliding_window':2047");

    private Configs() {}

    private static String llama(int layers, int hidden, int heads, int kv, int ffn, int vocab, String more) {
        return json("llama", layers, hidden, heads, kv, ffn, vocab, more);
    }

    private static String json(String type, int layers, int hidden, int heads, int kv, int ffn, int vocab,
            String more) {
        return ("{'model_type':'" + type + "','num_hidden_layers':" + layers + ",'hidden_size':" + hidden
                + ",'num_attention_heads':" + heads + ",'num_key_value_heads':" + kv + ",'intermediate_size':"
                + ffn + ",'vocab_size':" + vocab + ",'max_position_embeddings':131072,"
                + "'torch_dtype':'bfloat16'" + more + ",'tie_word_embeddings':false}").replace('\'', '"');
    }

    /** The model of a text above. */
    public static DecoderSpec spec(String config) {
        return HfConfig.of(Json.parse(config, "config.json").asObject(), "m", "config.json");
    }
}
