package dev.assay.forecast.engines;

import dev.assay.AssayException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The options of a command line by their canonical names, with checked reading. */
final class Options {
    private final String engine;
    private final Map<String, String> values = new HashMap<>();
    private final List<String> blind = new ArrayList<>();
    private final List<String> plain = new ArrayList<>();

    private Options(String engine) {
        this.engine = engine;
    }

    /**
     * What an option is.
     *
     * @param name canonical
     * @param takesValue whether a word follows it
     * @param kind what the forecast does with it
     */
    record Known(String name, boolean takesValue, Kind kind) {}

    /** What the forecast does with an option. */
    enum Kind {
        /** It is in the model. */
        SEEN,
        /** It matters for speed and the model ignores it. */
        BLIND,
        /** It does not matter for speed. */
        HARMLESS
    }

    /** Reads words; names of {@code known} are as written, with their dashes. */
    static Options of(String engine, List<String> words, Map<String, Known> known) {
        Options options = new Options(engine);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("-") || word.length() == 1 || word.matches("-\\d.*")) {
                options.plain.add(word);
                continue;
            }
            int equals = word.indexOf('=');
            String name = equals > 0 ? word.substring(0, equals) : word;
            Optional<Known> k = Optional.ofNullable(known.get(normal(name)));
            boolean following = i + 1 < words.size() && !isOption(words.get(i + 1));
            String value;
            if (equals > 0) {
                value = word.substring(equals + 1);
            } else if (k.map(Known::takesValue).orElse(following)) {
                if (!following) {
                    throw AssayException
                            .misuse(engine + ": " + name + " has no value; expected one after it");
                }
                value = words.get(++i);
            } else {
                value = "true";
            }
            options.add(name, value, k);
        }
        return options;
    }

    private void add(String name, String value, Optional<Known> known) {
        Kind kind = known.map(Known::kind).orElse(Kind.BLIND);
        if (kind == Kind.BLIND) {
            blind.add(normal(name).replaceFirst("^-+", "") + (value.equals("true") ? "" : "=" + value));
        } else if (kind == Kind.SEEN && values.put(known.orElseThrow().name(), value) != null) {
            throw AssayException.misuse(engine + ": " + name + " is given twice; expected once");
        }
    }

    /** vLLM and SGLang take underscores for dashes; short options keep their case. */
    private static String normal(String name) {
        return name.startsWith("--") ? name.toLowerCase(Locale.ROOT).replace('_', '-') : name;
    }

    private static boolean isOption(String word) {
        return word.startsWith("-") && word.length() > 1 && !word.matches("-\\d.*");
    }

    String engine() {
        return engine;
    }

    List<String> plain() {
        return plain;
    }

    List<String> blind() {
        return List.copyOf(blind);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    boolean flag(String name) {
        return text(name).map(v -> !v.equals("false")).orElse(false);
    }

    OptionalInt integer(String name, int least) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        double scale = 1;
        String digits = text.get();
        if (digits.matches("\\d+(\\.\\d+)?[kKmM]")) {
            scale = switch (digits.charAt(digits.length() - 1)) {
                case 'k' -> 1_000;
                case 'K' -> 1_024;
                case 'm' -> 1_000_000;
                default -> 1_048_576;
            };
            digits = digits.substring(0, digits.length() - 1);
        } else if (!digits.matches("-?\\d{1,10}")) {
            throw fault(name, "a whole number of at least " + least);
        }
        double value = Double.parseDouble(digits) * scale;
        if (value < least || value > Integer.MAX_VALUE) {
            throw fault(name, "a whole number of at least " + least);
        }
        return OptionalInt.of((int) value);
    }

    int integer(String name, int least, int otherwise) {
        return integer(name, least).orElse(otherwise);
    }

    /** A share above 0 and at most 1. */
    double share(String name, double otherwise) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(text.get());
            if (value > 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, with what was expected.
        }
        throw fault(name, "a number above 0 and at most 1");
    }

    AssayException fault(String name, String expected) {
        return AssayException
                .misuse(engine + ": --" + name + " is '" + text(name).orElse("") + "'; expected " + expected);
    }
}
