package dev.assay.workload;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonArrayFile;
import dev.assay.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Conversations of a ShareGPT file: a JSON array of {@code {id, conversations: [{from, value}]}}, {@code from} being
 * {@code human} or {@code gpt} ({@code user} and {@code chatgpt}, {@code assistant} as well).
 *
 * <p>A turn is a human's text and the answer directly behind it; texts without one, and system texts, are left out, as
 * are conversations without a turn. Only where each conversation lies in the file is kept, its texts are read when asked
 * for, so that files of any size fit. Token counts are estimates, a quarter of the text's bytes in UTF-8: what the
 * server counts is not known without its tokenizer.
 */
public record ShareGpt(Path file, JsonArrayFile.Index index) {
    private static final Set<String> HUMAN = Set.of("human", "user");
    private static final Set<String> ANSWER = Set.of("gpt", "chatgpt", "assistant", "bing", "bard", "model");
    private static final int BYTES_PER_TOKEN = 4;

    /** A human's text and the tokens of the recorded answer. */
    record Exchange(String text, int promptTokens, int answerTokens) {}

    static ShareGpt read(Path file) {
        JsonArrayFile.Index index = JsonArrayFile.index(file, item -> !exchanges(item).isEmpty());
        if (index.size() == 0) {
            throw AssayException
                    .misuse(file + ": expected at least one conversation with a question and an answer");
        }
        return new ShareGpt(file, index);
    }

    /** The turns of the conversation at this place, at least one. */
    List<Exchange> conversation(int at) {
        return exchanges(Json.parse(JsonArrayFile.text(file, index, at), file + ", item " + at));
    }

    private static List<Exchange> exchanges(JsonValue item) {
        List<JsonValue> messages = item.asObject().require("conversations").asList();
        List<Exchange> turns = new ArrayList<>();
        for (int i = 0; i + 1 < messages.size(); i++) {
            if (HUMAN.contains(from(messages.get(i))) && ANSWER.contains(from(messages.get(i + 1)))) {
                String text = value(messages.get(i));
                String answer = value(messages.get(i + 1));
                if (!text.isBlank() && !answer.isBlank()) {
                    turns.add(new Exchange(text, tokens(text), tokens(answer)));
                }
            }
        }
        return turns;
    }

    private static String from(JsonValue message) {
        return message.asObject().require("from").asText();
    }

    private static String value(JsonValue message) {
        return message.asObject().require("value").asText();
    }

    /** About how many tokens a text has. */
    static int tokens(String text) {
        return Math.max(1, text.getBytes(StandardCharsets.UTF_8).length / BYTES_PER_TOKEN);
    }
}
