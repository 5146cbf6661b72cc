package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the bodies of all requests to one target share, cut where the number of tokens and the prompt go.
 *
 * @param start up to the number of tokens
 * @param middle from there to the prompt's text
 * @param end behind the prompt's text
 * @param countsTokens whether a number goes between start and middle; not where the extra body set its own
 */
record RequestBody(byte[] start, byte[] middle, byte[] end, boolean countsTokens) {
    /** Stands for the number of tokens while the shared part is written. */
    private static final long MARK = 8_675_309_867_530L;

    static RequestBody of(Target target) {
        String key = promptKey(target.api());
        if (target.extraBody().fields().containsKey(key)) {
            throw AssayException.misuse("the extra body sets '" + key + "', which holds the prompt");
        }
        Map<String, JsonValue> fields = merged(own(target), target.extraBody().fields());
        String text = Json.canonical(JsonValue.Obj.of(fields));
        String open = text.substring(0, text.length() - 1) + (fields.isEmpty() ? "" : ",") + '"' + key
                + "\":";
        int at = open.indexOf(Long.toString(MARK));
        boolean chat = target.api() == Target.Api.CHAT;
        String before = chat ? "[" : "\"";
        String behind = chat ? "]}" : "\"}";
        int rest = at < 0 ? 0 : at + Long.toString(MARK).length();
        return new RequestBody(utf8(open.substring(0, Math.max(0, at))), utf8(open.substring(rest) + before),
                utf8(behind), at >= 0);
    }

    private static String promptKey(Target.Api api) {
        return switch (api) {
            case COMPLETIONS, LLAMA_CPP -> "prompt";
            case CHAT -> "messages";
            case SGLANG -> "text";
            case TGI -> "inputs";
        };
    }

    private static Map<String, JsonValue> own(Target target) {
        JsonValue count = JsonValue.of(MARK);
        Map<String, JsonValue> fields = new TreeMap<>();
        switch (target.api()) {
            case COMPLETIONS, CHAT -> {
                fields.put("model", JsonValue.of(target.model()));
                fields.put("max_tokens", count);
                fields.put("temperature", JsonValue.of(0));
                usage(target.usage(), fields);
                ignoreEos(target, fields);
            }
            case SGLANG -> {
                Map<String, JsonValue> sampling = new TreeMap<>();
                sampling.put("max_new_tokens", count);
                sampling.put("temperature", JsonValue.of(0));
                ignoreEos(target, sampling);
                fields.put("sampling_params", JsonValue.Obj.of(sampling));
            }
            case TGI -> fields.put("parameters", JsonValue.Obj.of(Map.of("max_new_tokens", count, "do_sample",
                    JsonValue.of(false), "details", JsonValue.of(true))));
            case LLAMA_CPP -> {
                fields.put("n_predict", count);
                fields.put("temperature", JsonValue.of(0));
                ignoreEos(target, fields);
            }
        }
        if (target.api() != Target.Api.TGI) {
            fields.put("stream", JsonValue.of(true));
        }
        return fields;
    }

    private static void ignoreEos(Target target, Map<String, JsonValue> fields) {
        if (target.ignoreEos()) {
            fields.put("ignore_eos", JsonValue.of(true));
        }
    }

    private static void usage(Target.Usage usage, Map<String, JsonValue> fields) {
        Map<String, JsonValue> options = new LinkedHashMap<>();
        switch (usage) {
            case NONE -> {
            }
            case FINAL -> options.put("include_usage", JsonValue.of(true));
            case CONTINUOUS -> {
                options.put("include_usage", JsonValue.of(true));
                options.put("continuous_usage_stats", JsonValue.of(true));
            }
        }
        if (!options.isEmpty()) {
            fields.put("stream_options", JsonValue.Obj.of(options));
        }
    }

    private static Map<String, JsonValue> merged(Map<String, JsonValue> own, Map<String, JsonValue> extra) {
        Map<String, JsonValue> all = new TreeMap<>(own);
        extra.forEach((name, value) -> all.merge(name, value, RequestBody::merged));
        all.values().removeIf(JsonValue.Null.class::isInstance);
        return all;
    }

    private static JsonValue merged(JsonValue own, JsonValue extra) {
        return own instanceof JsonValue.Obj a && extra instanceof JsonValue.Obj b
                ? JsonValue.Obj.of(merged(a.fields(), b.fields()))
                : extra;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
