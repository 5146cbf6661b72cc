package dev.assay.json;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * Reads JSON and YAML strictly and writes JSON canonically.
 *
 * <p>Strict: duplicate, unknown and missing fields, wrong types and trailing text are {@link AssayException}s that
 * name source, line, column and field. Canonical: RFC 8785 (JSON Canonicalization Scheme), so that anybody can
 * recompute a digest with any implementation of it. Records map to objects with snake_case fields; see {@link Binder}.
 */
public final class Json {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MOST_YAML = 3 << 20;

    private Json() {}

    /** The JSON document in {@code text}; {@code source} names it in errors. */
    public static JsonValue parse(String text, String source) {
        return new TreeReader(JSON.createParser(ObjectReadContext.empty(), text), source, text).document();
    }

    /** The YAML document (one only) in {@code text}; {@code source} names it in errors. */
    public static JsonValue parseYaml(String text, String source) {
        // The parser has a limit of its own, and takes seconds to reach it within one long scalar.
        if (text.length() > MOST_YAML) {
            throw AssayException.misuse(source + ": " + text.length() + " characters of YAML; the limit is "
                    + MOST_YAML);
        }
        return new TreeReader(Yaml.FACTORY.createParser(ObjectReadContext.empty(), text), source, text)
                .document();
    }

    /** The JSON document in {@code text} as a record of {@code type}. */
    public static <T extends Record> T read(String text, Class<T> type, String source) {
        return Binder.bind(parse(text, source), type);
    }

    /** The file, {@code .yaml}, {@code .yml} or JSON by its name, as a record of {@code type}. */
    public static <T extends Record> T readFile(Path file, Class<T> type) {
        return Binder.bind(parseFile(file), type);
    }

    /** The file, YAML or JSON by its name, as a tree. */
    public static JsonValue parseFile(Path file) {
        String name = file.getFileName().toString();
        String text = readText(file);
        return name.endsWith(".yaml") || name.endsWith(".yml") ? parseYaml(text, name) : parse(text, name);
    }

    private static String readText(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(file + ": no such file");
        } catch (CharacterCodingException e) {
            throw AssayException.misuse(file + ": expected text in UTF-8, found other bytes");
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The tree as a record of {@code type}. */
    public static <T> T bind(JsonValue tree, Class<T> type) {
        return Binder.bind(tree, type);
    }

    /** The tree of a record, list, map, text, number or truth value; empty optionals are left out. */
    public static JsonValue tree(Object value) {
        return Binder.tree(value);
    }

    /**
     * The canonical form (RFC 8785) of a record or tree, one line without its end. What the form cannot hold is an
     * {@link AssayException}: an integer that a double would round (other readers do) and half a surrogate pair.
     */
    public static String canonical(Object value) {
        return Writer.canonical(Binder.tree(value));
    }

    /** The same content for people: two spaces of indentation, fields in record order, and a last newline. */
    public static String pretty(Object value) {
        return Writer.pretty(Binder.tree(value));
    }

    /** SHA-256 of the canonical form, in lower-case hexadecimal. */
    public static String digest(Object value) {
        return sha256(canonical(value).getBytes(StandardCharsets.UTF_8));
    }

    /** SHA-256 of bytes, in lower-case hexadecimal. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Loaded only where a YAML file is read. */
    private static final class Yaml {
        static final YAMLFactory FACTORY = new YAMLFactory();
    }
}
