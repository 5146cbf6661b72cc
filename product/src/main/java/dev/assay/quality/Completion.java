package dev.assay.quality;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The first choice of an answer of {@code /v1/completions}.
 *
 * <p>Two forms of log-probabilities are read: the legacy one of parallel lists {@code tokens}, {@code token_logprobs},
 * {@code top_logprobs} (vLLM 0.32), and the chat-like list {@code content} of objects (llama-server build 11434).
 *
 * @param steps one per token; absent where the server gave no log-probabilities
 */
record Completion(String text, Optional<List<Step>> steps) {

    /** One generated token with the alternatives at its place, most likely first, ties by name. */
    record Step(TokenLogprob token, List<TokenLogprob> top) {}

    private static final Comparator<TokenLogprob> LIKELIEST_FIRST = Comparator
            .comparingDouble(TokenLogprob::logprob)
            .reversed().thenComparing(TokenLogprob::token);

    static Completion read(JsonValue answer) {
        List<JsonValue> choices = answer.asObject().require("choices").asList();
        if (choices.isEmpty()) {
            throw AssayException.environment(answer.at() + ": expected a choice, found none");
        }
        JsonValue.Obj choice = choices.getFirst().asObject();
        return new Completion(choice.require("text").asText(),
                choice.get("logprobs").map(JsonValue::asObject).flatMap(Completion::steps));
    }

    private static Optional<List<Step>> steps(JsonValue.Obj logprobs) {
        Optional<JsonValue> content = logprobs.get("content");
        if (content.isPresent()) {
            return Optional.of(content.get().asList().stream().map(JsonValue::asObject)
                    .map(Completion::chatStep).toList());
        }
        return logprobs.get("tokens").isPresent() ? Optional.of(legacySteps(logprobs)) : Optional.empty();
    }

    private static Step chatStep(JsonValue.Obj step) {
        List<TokenLogprob> top = step.get("top_logprobs").map(JsonValue::asList).orElse(List.of()).stream()
                .map(t -> chatToken(t.asObject())).sorted(LIKELIEST_FIRST).toList();
        return new Step(chatToken(step), top);
    }

    private static TokenLogprob chatToken(JsonValue.Obj token) {
        String name = token.get("bytes").map(b -> TokenText.name(bytes(b)))
                .orElseGet(() -> token.require("token").asText());
        return new TokenLogprob(name, token.require("logprob").asDouble());
    }

    private static byte[] bytes(JsonValue list) {
        List<JsonValue> items = list.asList();
        byte[] bytes = new byte[items.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) items.get(i).asLong();
        }
        return bytes;
    }

    private static List<Step> legacySteps(JsonValue.Obj logprobs) {
        List<JsonValue> tokens = logprobs.require("tokens").asList();
        List<JsonValue> values = logprobs.require("token_logprobs").asList();
        List<JsonValue> tops = logprobs.get("top_logprobs").map(JsonValue::asList).orElse(List.of());
        if (values.size() != tokens.size() || !tops.isEmpty() && tops.size() != tokens.size()) {
            throw AssayException
                    .environment(logprobs.at() + ": " + values.size() + " token_logprobs and " + tops.size()
                            + " top_logprobs: expected one per token, " + tokens.size());
        }
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            List<TokenLogprob> top = tops.isEmpty() || tops.get(i) instanceof JsonValue.Null
                    ? List.of()
                    : tops.get(i).asObject().fields().entrySet().stream()
                            .map(e -> new TokenLogprob(e.getKey(), e.getValue().asDouble()))
                            .sorted(LIKELIEST_FIRST).toList();
            steps.add(new Step(new TokenLogprob(tokens.get(i).asText(), values.get(i).asDouble()), top));
        }
        return steps;
    }
}
