package dev.assay.engine;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads the bodies of the completions and chat APIs. What is not understood is ignored if it cannot change the output
 * and refused with 400 if it can.
 */
final class RequestReader {
    /** The completions API's default of {@code max_tokens}. */
    private static final int DEFAULT_MAX_TOKENS = 16;
    private static final int MOST_LOGPROBS = 20;
    private static final int MOST_STOPS = 16;

    private final EngineConfig config;
    private final Tokenizer tokenizer;
    private final LongSupplier seeds;

    /** A reader; {@code seeds} gives the seed of a request that names none. */
    RequestReader(EngineConfig config, Tokenizer tokenizer, LongSupplier seeds) {
        this.config = config;
        this.tokenizer = tokenizer;
        this.seeds = seeds;
    }

    /** The body as an object. */
    static Fields fields(String body) {
        try {
            JsonValue tree = Json.parse(body, "body");
            if (tree instanceof JsonValue.Obj object) {
                return new Fields(object, "");
            }
            throw ApiError.of(400, "", "body: expected an object, found " + tree.kind());
        } catch (AssayException e) {
            throw ApiError.of(400, "", String.valueOf(e.getMessage()));
        }
    }

    CompletionRequest completion(String body) {
        Fields fields = common(body);
        int[] prompt = prompt(fields, "prompt");
        boolean echo = fields.flag("echo", false);
        int logprobs = fields.whole("logprobs", 0, MOST_LOGPROBS, -1);
        if (echo && logprobs >= 0) {
            throw ApiError.field("echo", "log-probabilities of the prompt are not supported");
        }
        int room = room(prompt, "prompt");
        Optional<Long> asked = fields.whole("max_tokens", 1, Integer.MAX_VALUE);
        int maxTokens = maxTokens("max_tokens", asked, prompt, room, DEFAULT_MAX_TOKENS);
        return request(fields, false, prompt, maxTokens, logprobs, echo);
    }

    CompletionRequest chat(String body) {
        Fields fields = common(body);
        int[] prompt = tokenizer.encode(transcript(fields));
        boolean wanted = fields.flag("logprobs", false);
        int top = fields.whole("top_logprobs", 0, MOST_LOGPROBS, 0);
        if (top > 0 && !wanted) {
            throw ApiError.field("top_logprobs", "needs logprobs to be true");
        }
        String field = fields.get("max_completion_tokens").isPresent()
                ? "max_completion_tokens"
                : "max_tokens";
        int room = room(prompt, "messages");
        Optional<Long> asked = fields.whole(field, 1, Integer.MAX_VALUE);
        int maxTokens = maxTokens(field, asked, prompt, room, room);
        return request(fields, true, prompt, maxTokens, wanted ? top : -1, false);
    }

    /** The ids of the text or of the list of ids in a field. */
    int[] prompt(Fields fields, String name) {
        JsonValue value = fields.get(name)
                .orElseThrow(
                        () -> ApiError.field(name, "is missing: expected a text or a list of token ids"));
        // A batch of one is what some clients send for a single prompt.
        if (value instanceof JsonValue.Arr batch && batch.items().size() == 1
                && !(batch.items().getFirst() instanceof JsonValue.Int)) {
            value = batch.items().getFirst();
        }
        int[] ids = switch (value) {
            case JsonValue.Str s -> tokenizer.encode(s.value());
            case JsonValue.Arr a -> {
                if (a.items().stream()
                        .anyMatch(i -> i instanceof JsonValue.Str || i instanceof JsonValue.Arr)) {
                    throw ApiError.field(name,
                            "one prompt per request is supported, had " + a.items().size());
                }
                yield fields.ids(name, a.items(), tokenizer.size());
            }
            case JsonValue.Obj _,JsonValue.Bool _,JsonValue.Int _,JsonValue.Real _,JsonValue.Null _ ->
                fields.fail(name, "a text or a list of token ids", value);
        };
        if (ids.length == 0) {
            throw ApiError.field(name, "must have at least 1 token");
        }
        return ids;
    }

    private Fields common(String body) {
        Fields fields = fields(body);
        Optional<String> model = fields.text("model");
        if (model.isPresent() && !model.get().equals(config.servedModelName())) {
            throw ApiError.of(404, "model_not_found",
                    "model: '" + model.get() + "' is not served: expected '" + config.servedModelName()
                            + "'");
        }
        Unsupported.refuse(fields);
        return fields;
    }

    /** Tokens that may still be generated after the prompt. */
    private int room(int[] prompt, String field) {
        long most = Math.min(config.maxModelLen(), config.scheduler().capacityTokens() + 1);
        if (prompt.length >= most) {
            throw ApiError.tooLong(field,
                    "has " + prompt.length + " tokens; prompt and output together may have " + most
                            + " (maximum context length)");
        }
        return (int) (most - prompt.length);
    }

    private int maxTokens(String field, Optional<Long> asked, int[] prompt, int room, int absent) {
        long wanted = asked.orElse((long) Math.min(room, absent));
        if (wanted > room) {
            throw ApiError.tooLong(field, wanted + " and a prompt of " + prompt.length
                    + " tokens exceed the maximum context length of " + (room + prompt.length));
        }
        return (int) wanted;
    }

    private CompletionRequest request(Fields fields, boolean chat, int[] prompt, int maxTokens, int logprobs,
            boolean echo) {
        boolean stream = fields.flag("stream", false);
        Optional<Fields> options = fields.object("stream_options");
        if (options.isPresent() && !stream) {
            throw ApiError.field("stream_options", "needs stream to be true");
        }
        List<String> stop = fields.texts("stop", MOST_STOPS);
        if (stop.contains("")) {
            throw ApiError.field("stop", "a stop text must not be empty");
        }
        long seed = fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElseGet(seeds::getAsLong);
        SamplingParams params = new SamplingParams(maxTokens, fields.whole("min_tokens", 0, maxTokens, 0),
                fields.number("temperature", 0, 100, 1), seed, stop, fields.flag("ignore_eos", false),
                logprobs);
        return new CompletionRequest(chat, prompt, params, stream,
                options.map(o -> o.flag("include_usage", false)).orElse(false),
                options.map(o -> o.flag("continuous_usage_stats", false)).orElse(false), echo,
                fields.flag("return_token_ids", false), fields.flag("return_tokens_as_token_ids", false));
    }

    /** The messages as plain text, one {@code role: content} a paragraph: the model has no chat template of its own. */
    private static String transcript(Fields fields) {
        JsonValue messages = fields.get("messages")
                .orElseThrow(() -> ApiError.field("messages", "is missing: expected a list"));
        List<JsonValue> items = messages instanceof JsonValue.Arr a
                ? a.items()
                : fields.fail("messages", "a list", messages);
        if (items.isEmpty()) {
            throw ApiError.field("messages", "must have at least 1 message");
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            String at = "messages[" + i + "]";
            Fields message = items.get(i) instanceof JsonValue.Obj o
                    ? new Fields(o, at + ".")
                    : fields.fail(at, "an object", items.get(i));
            String role = message.text("role").orElseThrow(() -> ApiError.field(at + ".role", "is missing"));
            text.append(role).append(": ").append(content(message)).append("\n\n");
        }
        return text.append("assistant:").toString();
    }

    private static String content(Fields message) {
        Optional<JsonValue> content = message.get("content");
        if (content.isEmpty()) {
            return "";
        }
        if (!(content.get() instanceof JsonValue.Arr parts)) {
            return message.text("content").orElse("");
        }
        List<String> texts = new ArrayList<>();
        for (JsonValue part : parts.items()) {
            Fields fields = part instanceof JsonValue.Obj o
                    ? new Fields(o, message.path("content") + ".")
                    : message.fail("content", "parts that are objects", part);
            if (!fields.text("type").orElse("text").equals("text")) {
                throw ApiError.field(fields.path("type"), "only text parts are supported");
            }
            texts.add(fields.text("text").orElse(""));
        }
        return String.join("", texts);
    }
}
