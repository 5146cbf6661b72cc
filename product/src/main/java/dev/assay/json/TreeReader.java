package dev.assay.json;

import dev.assay.AssayException;
import dev.assay.json.JsonValue.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLParser;

/** Turns Jackson's token stream into a {@link JsonValue}: one document, no duplicate keys, every node with its place. */
final class TreeReader {
    private static final Set<String> NULL_WORDS = Set.of("~", "Null", "NULL");
    private static final Set<String> TRUE_WORDS = Set.of("True", "TRUE");
    private static final Set<String> FALSE_WORDS = Set.of("False", "FALSE");

    private final JsonParser parser;
    private final String source;
    private final String text;
    private final Set<String> skipped;
    private final boolean foreign;

    TreeReader(JsonParser parser, String source, String text) {
        this(parser, source, text, Set.of(), false);
    }

    /**
     * @param skipped fields whose values are passed over and read as null
     * @param foreign whether numbers that JSON lacks are accepted: NaN as null, infinities as the texts inf and -inf
     */
    private TreeReader(JsonParser parser, String source, String text, Set<String> skipped, boolean foreign) {
        this.parser = parser;
        this.source = source;
        this.text = text;
        this.skipped = skipped;
        this.foreign = foreign;
    }

    /** A reader of what other programs wrote; see {@link JsonStream}. */
    static TreeReader foreign(JsonParser parser, String source, Set<String> skipped) {
        return new TreeReader(parser, source, "", skipped, true);
    }

    /** The next document of a sequence; empty at the end. */
    Optional<JsonValue> next() {
        try {
            return parser.nextToken() == null ? Optional.empty() : Optional.of(value());
        } catch (JacksonException e) {
            throw AssayException.misuse(place(e) + ": " + Messages.ofParser(e.getOriginalMessage()));
        }
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
            throw AssayException.misuse(place(e) + ": " + Messages.ofParser(e.getOriginalMessage()));
        }
    }

    /** Each item of a document that is one array, with the bytes of the input that it takes. */
    void items(JsonArrayFile.Visitor visitor) {
        try {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw AssayException.misuse(source + ":1: expected an array");
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                long start = parser.currentTokenLocation().getByteOffset();
                JsonValue item = value();
                visitor.item(item, start, parser.currentLocation().getByteOffset());
            }
            if (parser.nextToken() != null) {
                throw AssayException.misuse(here() + ": expected the end, found more");
            }
        } catch (JacksonException e) {
            throw AssayException.misuse(place(e) + ": " + Messages.ofParser(e.getOriginalMessage()));
        }
    }

    private Position place(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        return at == null || at.getLineNr() < 1
                ? here()
                : new Position(source, at.getLineNr(), at.getColumnNr());
    }

    private Position here() {
        TokenStreamLocation at = parser.currentTokenLocation();
        return new Position(source, at.getLineNr(), at.getColumnNr());
    }

    private JsonValue value() {
        Position at = here();
        refuseReferences(at);
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(at);
            case START_ARRAY -> array(at);
            case VALUE_STRING -> string(at);
            case VALUE_NUMBER_INT -> integer(at);
            case VALUE_NUMBER_FLOAT -> real(at);
            case VALUE_TRUE -> new JsonValue.Bool(true, at);
            case VALUE_FALSE -> new JsonValue.Bool(false, at);
            case VALUE_NULL -> new JsonValue.Null(at);
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
                throw AssayException.misuse(at + ": unexpected " + token);
        };
    }

    /** An alias would be read as its own name, and a tag would be ignored: both must not pass for content. */
    private void refuseReferences(Position at) {
        if (parser instanceof YAMLParser yaml
                && (yaml.isCurrentAlias() || yaml.getObjectId() != null || yaml.getTypeId() != null)) {
            throw AssayException
                    .misuse(at + ": expected plain YAML without anchors (&), aliases (*) and tags (!)");
        }
    }

    /** Jackson leaves some words of YAML's core schema as text; a quoted word stays text. */
    private JsonValue string(Position at) {
        String value = parser.getString();
        if (parser instanceof YAMLParser && isPlain(value)) {
            if (NULL_WORDS.contains(value)) {
                return new JsonValue.Null(at);
            }
            if (TRUE_WORDS.contains(value) || FALSE_WORDS.contains(value)) {
                return new JsonValue.Bool(TRUE_WORDS.contains(value), at);
            }
        }
        return new JsonValue.Str(value, at);
    }

    private boolean isPlain(String value) {
        int from = text.offsetByCodePoints(0, (int) parser.currentTokenLocation().getCharOffset());
        return text.startsWith(value, from);
    }

    /** A number in a foreign list takes the list's place: lists of millions of times are usual there. */
    private JsonValue number(Position list) {
        return parser.currentToken() == JsonToken.VALUE_NUMBER_INT ? integer(list) : real(list);
    }

    private JsonValue integer(Position at) {
        return switch (parser.getNumberType()) {
            case INT, LONG -> new JsonValue.Int(parser.getLongValue(), at);
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> real(at);
        };
    }

    private JsonValue real(Position at) {
        double value = parser.getDoubleValue();
        if (foreign && parser.isNaN()) {
            return Double.isNaN(value)
                    ? new JsonValue.Null(at)
                    : new JsonValue.Str(value > 0 ? "inf" : "-inf", at);
        }
        if (!Double.isFinite(value)) {
            throw AssayException.misuse(at + ": expected a finite number, found " + parser.getString());
        }
        return new JsonValue.Real(value, at);
    }

    private JsonValue array(Position at) {
        List<JsonValue> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(foreign && parser.currentToken().isNumeric() ? number(at) : value());
        }
        return new JsonValue.Arr(items, at);
    }

    private JsonValue skip() {
        Position at = here();
        parser.skipChildren();
        return new JsonValue.Null(at);
    }

    private JsonValue object(Position at) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Position place = here();
            refuseReferences(place);
            parser.nextToken();
            if (fields.put(name, skipped.contains(name) ? skip() : value()) != null) {
                throw AssayException.misuse(place + ": field " + Messages.quoted(name) + " stands twice");
            }
        }
        return new JsonValue.Obj(fields, at);
    }
}
