package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.EventGrammar.Meaning;
import dev.assay.load.EventGrammar.Rule;
import dev.assay.load.EventGrammar.Tokens;
import dev.assay.load.EventScanner.Found;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads one event by the full JSON parser, where {@link EventScanner} could not. */
final class EventReader {
    private final EventGrammar grammar;
    private final Found into;

    private EventReader(EventGrammar grammar, Found into) {
        this.grammar = grammar;
        this.into = into;
    }

    /** The answer's text that the event carried, empty where it carried none or is no JSON object. */
    record Reading(boolean read, String text) {}

    /** Reads an event into {@code into}, whose place of the text is not set. */
    static Reading read(byte[] data, int from, int length, EventGrammar grammar, Found into) {
        into.clear();
        try {
            JsonValue.Obj event = Json.parse(new String(data, from, length, StandardCharsets.UTF_8), "event")
                    .asObject();
            return new Reading(true, new EventReader(grammar, into).object(event, EventGrammar.TOP));
        } catch (AssayException e) {
            return new Reading(false, "");
        }
    }

    private String object(JsonValue.Obj object, int place) {
        String text = "";
        for (Rule rule : grammar.at(place)) {
            Optional<JsonValue> value = object.get(rule.name());
            if (value.isPresent()) {
                String more = value(value.get(), rule);
                text = text.isEmpty() ? more : text;
            }
        }
        return text;
    }

    private String value(JsonValue value, Rule rule) {
        switch (value) {
            case JsonValue.Obj object when rule.meaning() == Meaning.OBJECT -> {
                into.tokens(rule.tokens());
                return object(object, rule.into());
            }
            case JsonValue.Arr items when rule.meaning() == Meaning.LIST -> {
                return list(items, rule);
            }
            case JsonValue.Arr items when rule.meaning() == Meaning.TOOLS -> {
                if (!items.items().isEmpty()) {
                    into.toolCall();
                }
            }
            case JsonValue.Str text -> {
                return text(text.value(), rule);
            }
            case JsonValue.Int number when isCount(rule.meaning()) ->
                into.count(rule.meaning(), Math.max(0, number.value()));
            case JsonValue.Real number when isCount(rule.meaning()) ->
                into.count(rule.meaning(), Math.max(0, Math.round(number.value())));
            case JsonValue.Bool truth when truth.value() -> {
                into.ends |= rule.meaning() == Meaning.ENDS_IF_TRUE;
                into.special |= rule.meaning() == Meaning.SPECIAL;
            }
            case JsonValue.Obj _,JsonValue.Arr _,JsonValue.Int _,JsonValue.Real _,JsonValue.Bool _,JsonValue.Null _ ->
                {
                }
        }
        into.hasError |= rule.meaning() == Meaning.ERROR && !(value instanceof JsonValue.Null);
        return "";
    }

    private static boolean isCount(Meaning meaning) {
        return meaning == Meaning.PROMPT || meaning == Meaning.COMPLETION || meaning == Meaning.CACHED;
    }

    private String list(JsonValue.Arr items, Rule rule) {
        String text = "";
        for (JsonValue item : items.items()) {
            if (item instanceof JsonValue.Obj object) {
                into.tokens(Tokens.POSSIBLE);
                String more = object(object, rule.into());
                text = text.isEmpty() ? more : text;
            }
        }
        return text;
    }

    private String text(String text, Rule rule) {
        switch (rule.meaning()) {
            case ANSWER -> {
                into.tokens(rule.tokens());
                into.hasText |= !text.isEmpty();
                into.hasAnswer |= !text.isEmpty();
                return text;
            }
            case REASONING -> into.hasText |= !text.isEmpty();
            case ENDS_IF_TEXT -> into.ends = true;
            case FINISH -> into.hasError |= "abort".equals(text) || "error".equals(text);
            case ERROR -> into.hasError = true;
            case OBJECT, LIST, TOOLS, PROMPT, COMPLETION, CACHED, ENDS_IF_TRUE, SPECIAL -> {
            }
        }
        return "";
    }
}
