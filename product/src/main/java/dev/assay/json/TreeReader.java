package dev.assay.json;

import dev.assay.AssayException;
import dev.assay.json.JsonValue.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/** Turns Jackson's token stream into a {@link JsonValue}: one document, no duplicate keys, every node with its place. */
final class TreeReader {
    private final JsonParser parser;
    private final String source;

    TreeReader(JsonParser parser, String source) {
        this.parser = parser;
        this.source = source;
    }

    JsonValue document() {
        try {
            if (parser.nextToken() == null) {
                throw AssayException.misuse(source + ": expected a document, found nothing");
            }
            JsonValue value = value();
            if (parser.nextToken() != null) {
                throw AssayException.misuse(here() + ": expected the end, found more");
            }
            return value;
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            String place = at == null || at.getLineNr() < 1
                    ? source
                    : source + ":" + at.getLineNr() + ":" + at.getColumnNr();
            String first = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("not readable");
            throw AssayException.misuse(place + ": " + first);
        }
    }

    private Position here() {
        TokenStreamLocation at = parser.currentTokenLocation();
        return new Position(source, at.getLineNr(), at.getColumnNr());
    }

    private JsonValue value() {
        Position at = here();
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(at);
            case START_ARRAY -> array(at);
            case VALUE_STRING -> new JsonValue.Str(parser.getString(), at);
            case VALUE_NUMBER_INT -> integer(at);
            case VALUE_NUMBER_FLOAT -> real(at);
            case VALUE_TRUE -> new JsonValue.Bool(true, at);
            case VALUE_FALSE -> new JsonValue.Bool(false, at);
            case VALUE_NULL -> new JsonValue.Null(at);
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
                throw AssayException.misuse(at + ": unexpected " + token);
        };
    }

    private JsonValue integer(Position at) {
        return switch (parser.getNumberType()) {
            case INT, LONG -> new JsonValue.Int(parser.getLongValue(), at);
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> real(at);
        };
    }

    private JsonValue real(Position at) {
        double value = parser.getDoubleValue();
        if (!Double.isFinite(value)) {
            throw AssayException.misuse(at + ": expected a finite number, found " + parser.getString());
        }
        return new JsonValue.Real(value, at);
    }

    private JsonValue array(Position at) {
        List<JsonValue> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value());
        }
        return new JsonValue.Arr(items, at);
    }

    private JsonValue object(Position at) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Position place = here();
            parser.nextToken();
            if (fields.put(name, value()) != null) {
                throw AssayException.misuse(place + ": field '" + name + "' stands twice");
            }
        }
        return new JsonValue.Obj(fields, at);
    }
}
