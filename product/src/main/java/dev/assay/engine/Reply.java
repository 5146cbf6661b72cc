package dev.assay.engine;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The JSON of one answer, whole or in chunks, in the shape of the completions or of the chat API. */
final class Reply {
    private static final JsonValue NULL = new JsonValue.Null(JsonValue.Position.NONE);

    private final CompletionRequest request;
    private final Tokenizer tokenizer;
    private final Map<String, Object> head = new LinkedHashMap<>();
    private final String id;
    private int completionTokens;
    private int cachedTokens;
    private int textOffset;

    Reply(CompletionRequest request, Tokenizer tokenizer, String model, long sequenceId,
            long createdSeconds) {
        this.request = request;
        this.tokenizer = tokenizer;
        id = (request.chat() ? "chatcmpl-" : "cmpl-") + sequenceId;
        head.put("id", id);
        head.put("created", createdSeconds);
        head.put("model", model);
    }

    /** Counts an event's token; call it before the JSON of the event is made. */
    void count(TokenEvent event, int cached) {
        completionTokens += event.token() >= 0 ? 1 : 0;
        cachedTokens = cached;
    }

    /** The chunk with which a chat stream begins. */
    String roleChunk() {
        return chunk(choice(Map.of("delta", Map.of("role", "assistant", "content", "")), Optional.empty(),
                Optional.empty()));
    }

    /** The chunk of one event; {@code text} is the event's, with what comes before it at the first. */
    String tokenChunk(TokenEvent event, String text, boolean first) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (request.chat()) {
            body.put("delta", Map.of("content", text));
        } else {
            body.put("text", text);
        }
        body.put("logprobs", logprobs(List.of(event)));
        if (request.returnTokenIds()) {
            body.put("token_ids", event.token() < 0 ? List.of() : List.of(event.token()));
            if (first && !request.chat()) {
                body.put("prompt_token_ids", ids(request.prompt()));
            }
        }
        return chunk(choice(body, event.finish(), event.stopText()));
    }

    /** The last chunk of a stream that asked for usage. */
    String usageChunk() {
        Map<String, Object> chunk = chunkHead();
        chunk.put("choices", List.of());
        chunk.put("usage", usage());
        return Json.canonical(chunk);
    }

    /** The whole answer. */
    String whole(List<TokenEvent> events, String text) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (request.chat()) {
            body.put("message", Map.of("role", "assistant", "content", text));
        } else {
            body.put("text", text);
        }
        body.put("logprobs", logprobs(events));
        if (request.returnTokenIds()) {
            body.put("token_ids",
                    events.stream().map(TokenEvent::token).filter(token -> token >= 0).toList());
            body.put("prompt_token_ids", ids(request.prompt()));
        }
        TokenEvent last = events.getLast();
        Map<String, Object> answer = new LinkedHashMap<>(head);
        answer.put("object", request.chat() ? "chat.completion" : "text_completion");
        answer.put("choices", List.of(choice(body, last.finish(), last.stopText())));
        answer.put("usage", usage());
        return Json.canonical(answer);
    }

    private static Map<String, Object> choice(Map<String, Object> body, Optional<FinishReason> finish,
            Optional<String> stopText) {
        Map<String, Object> choice = new LinkedHashMap<>(body);
        choice.put("index", 0);
        choice.put("finish_reason", finish.<Object>map(FinishReason::wire).orElse(NULL));
        choice.put("stop_reason", stopText.<Object>map(t -> t).orElse(NULL));
        return choice;
    }

    private Map<String, Object> chunkHead() {
        Map<String, Object> chunk = new LinkedHashMap<>(head);
        chunk.put("object", request.chat() ? "chat.completion.chunk" : "text_completion");
        return chunk;
    }

    private String chunk(Map<String, Object> choice) {
        Map<String, Object> chunk = chunkHead();
        chunk.put("choices", List.of(choice));
        if (request.continuousUsage()) {
            chunk.put("usage", usage());
        }
        return Json.canonical(chunk);
    }

    private Map<String, Object> usage() {
        return Map.of("prompt_tokens", request.prompt().length, "completion_tokens", completionTokens,
                "total_tokens",
                request.prompt().length + completionTokens, "prompt_tokens_details",
                Map.of("cached_tokens", cachedTokens));
    }

    private Object logprobs(List<TokenEvent> events) {
        if (request.params().logprobs() < 0) {
            return NULL;
        }
        List<TokenEvent> known = events.stream().filter(event -> event.logprobs().isPresent()).toList();
        return request.chat()
                ? Map.of("content", known.stream().map(this::chatLogprobs).toList())
                : legacyLogprobs(known);
    }

    private Map<String, Object> legacyLogprobs(List<TokenEvent> events) {
        List<String> names = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        List<Map<String, Object>> tops = new ArrayList<>();
        List<Integer> offsets = new ArrayList<>();
        for (TokenEvent event : events) {
            TokenLogprobs logprobs = event.logprobs().orElseThrow();
            String name = name(event.token());
            names.add(name);
            values.add(logprobs.logprob());
            Map<String, Object> top = new LinkedHashMap<>();
            for (int i = 0; i < logprobs.topIds().length; i++) {
                top.putIfAbsent(name(logprobs.topIds()[i]), logprobs.topLogprobs()[i]);
            }
            tops.add(top);
            offsets.add(textOffset);
            textOffset += name.length();
        }
        return Map.of("tokens", names, "token_logprobs", values, "top_logprobs", tops, "text_offset",
                offsets);
    }

    private Map<String, Object> chatLogprobs(TokenEvent event) {
        TokenLogprobs logprobs = event.logprobs().orElseThrow();
        List<Map<String, Object>> top = new ArrayList<>();
        for (int i = 0; i < logprobs.topIds().length; i++) {
            top.add(named(logprobs.topIds()[i], logprobs.topLogprobs()[i]));
        }
        Map<String, Object> entry = named(event.token(), logprobs.logprob());
        entry.put("top_logprobs", top);
        return entry;
    }

    private Map<String, Object> named(int token, double logprob) {
        List<Integer> bytes = new ArrayList<>();
        for (byte b : tokenizer.bytes(token)) {
            bytes.add(b & 0xff);
        }
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("token", name(token));
        entry.put("logprob", logprob);
        entry.put("bytes", bytes);
        return entry;
    }

    private String name(int token) {
        return request.tokensAsIds() ? "token_id:" + token : TokenNames.of(tokenizer.bytes(token));
    }

    private static List<Integer> ids(int[] ids) {
        return Arrays.stream(ids).boxed().toList();
    }
}
