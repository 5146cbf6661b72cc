package dev.assay.json;

import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * JSON documents that another program wrote one after another, read one at a time.
 *
 * <p>Any white space or none may stand between them, so one document, JSON Lines and appended objects are all read.
 * As {@link Json} it refuses duplicate fields and what is not JSON, but for the numbers that Python writes and JSON
 * lacks: {@code NaN} is null, {@code Infinity} the text {@code inf}. Values of fields that the caller does not want
 * are passed over without being kept, so that a file of hundreds of megabytes of answers takes little memory.
 */
public final class JsonStream implements AutoCloseable {
    private static final JsonFactory FOREIGN = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

    private final JsonParser parser;
    private final TreeReader reader;

    private JsonStream(JsonParser parser, TreeReader reader) {
        this.parser = parser;
        this.reader = reader;
    }

    /**
     * Documents from bytes in UTF-8; {@code source} names them in errors. Fields named in {@code skipped}, at any
     * depth, read as null.
     */
    public static JsonStream of(InputStream bytes, String source, Set<String> skipped) {
        JsonParser parser = FOREIGN.createParser(ObjectReadContext.empty(), bytes);
        return new JsonStream(parser, TreeReader.foreign(parser, source, skipped));
    }

    /** The next document; empty after the last. */
    public Optional<JsonValue> next() {
        return reader.next();
    }

    @Override
    public void close() {
        parser.close();
    }
}
