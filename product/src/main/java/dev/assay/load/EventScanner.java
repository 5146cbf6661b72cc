package dev.assay.load;

/**
 * Reads out of one streamed JSON event only what the metrics need, without allocating.
 *
 * <p>Looks at {@code choices[].text}, {@code choices[].delta.{content, reasoning_content, reasoning, tool_calls}},
 * {@code usage.{prompt_tokens, completion_tokens}},
 * {@code usage.prompt_tokens_details.cached_tokens} and {@code error}; checks the syntax of all else on the way. Where
 * it cannot read an event it says so, and the caller asks the full parser.
 */
final class EventScanner {
    private static final int MAX_DEPTH = 64;
    private static final int TOP = 0;
    private static final int CHOICE = 1;
    private static final int DELTA = 2;
    private static final int USAGE = 3;
    private static final int DETAILS = 4;
    private static final int OTHER = 5;

    /** Whether a choice carried text: content, reasoning or a tool call. */
    boolean hasText;
    /** Whether {@code choices} had an element. */
    boolean hasChoice;
    boolean hasUsage;
    boolean hasError;
    long promptTokens;
    long completionTokens;
    long cachedTokens;
    /** The first choice's content as the bytes between its quotes; length 0 where there is none. */
    int textStart;
    int textLength;

    private byte[] json = new byte[0];
    private int at;
    private int end;

    /** Reads one event; false where it is not JSON that this scanner understands. */
    boolean scan(byte[] bytes, int from, int to) {
        json = bytes;
        at = from;
        end = to;
        hasText = false;
        hasChoice = false;
        hasUsage = false;
        hasError = false;
        promptTokens = -1;
        completionTokens = -1;
        cachedTokens = -1;
        textLength = 0;
        space();
        if (at >= end || json[at] != '{' || !object(TOP, 0)) {
            return false;
        }
        space();
        return at == end;
    }

    private boolean object(int where, int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        at++;
        space();
        if (at < end && json[at] == '}') {
            at++;
            return true;
        }
        while (true) {
            space();
            int keyStart = at + 1;
            if (!string()) {
                return false;
            }
            int keyEnd = at - 1;
            space();
            if (at >= end || json[at] != ':') {
                return false;
            }
            at++;
            space();
            if (at >= end || !field(where, keyStart, keyEnd, depth)) {
                return false;
            }
            space();
            if (at >= end) {
                return false;
            }
            byte next = json[at++];
            if (next == '}') {
                return true;
            }
            if (next != ',') {
                return false;
            }
        }
    }

    private boolean field(int where, int keyStart, int keyEnd, int depth) {
        byte first = json[at];
        switch (where) {
            case TOP -> {
                if (first == '[' && is("choices", keyStart, keyEnd)) {
                    return array(CHOICE, depth + 1);
                }
                if (first == '{' && is("usage", keyStart, keyEnd)) {
                    hasUsage = true;
                    return object(USAGE, depth + 1);
                }
                if (first != 'n' && is("error", keyStart, keyEnd)) {
                    hasError = true;
                }
            }
            case CHOICE -> {
                if (first == '"' && is("text", keyStart, keyEnd)) {
                    return text();
                }
                if (first == '{' && is("delta", keyStart, keyEnd)) {
                    return object(DELTA, depth + 1);
                }
            }
            case DELTA -> {
                if (first == '"' && is("content", keyStart, keyEnd)) {
                    return text();
                }
                if (first == '"'
                        && (is("reasoning_content", keyStart, keyEnd) || is("reasoning", keyStart, keyEnd))) {
                    int start = at;
                    boolean read = string();
                    hasText |= at - start > 2;
                    return read;
                }
                if (first == '[' && is("tool_calls", keyStart, keyEnd)) {
                    int start = at;
                    boolean read = array(OTHER, depth + 1);
                    hasText |= at - start > 2;
                    return read;
                }
            }
            case USAGE -> {
                if (is("prompt_tokens", keyStart, keyEnd)) {
                    return (promptTokens = count()) != -2;
                }
                if (is("completion_tokens", keyStart, keyEnd)) {
                    return (completionTokens = count()) != -2;
                }
                if (first == '{' && is("prompt_tokens_details", keyStart, keyEnd)) {
                    return object(DETAILS, depth + 1);
                }
            }
            case DETAILS -> {
                if (is("cached_tokens", keyStart, keyEnd)) {
                    return (cachedTokens = count()) != -2;
                }
            }
            default -> {
                return value(OTHER, depth + 1);
            }
        }
        return value(OTHER, depth + 1);
    }

    private boolean text() {
        int start = at + 1;
        if (!string()) {
            return false;
        }
        int length = at - 1 - start;
        hasText |= length > 0;
        if (textLength == 0) {
            textStart = start;
            textLength = length;
        }
        return true;
    }

    /** A non-negative whole number, −1 for null, −2 for anything else. */
    private long count() {
        if (json[at] == 'n') {
            return literal("null") ? -1 : -2;
        }
        long value = 0;
        int start = at;
        while (at < end && json[at] >= '0' && json[at] <= '9' && at - start < 18) {
            value = value * 10 + json[at++] - '0';
        }
        return at == start || at < end && (json[at] == '.' || json[at] == 'e' || json[at] == 'E')
                ? -2
                : value;
    }

    private boolean array(int element, int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        at++;
        space();
        if (at < end && json[at] == ']') {
            at++;
            return true;
        }
        while (true) {
            space();
            if (at >= end) {
                return false;
            }
            if (element == CHOICE && json[at] == '{') {
                hasChoice = true;
                if (!object(CHOICE, depth + 1)) {
                    return false;
                }
            } else if (!value(OTHER, depth + 1)) {
                return false;
            }
            space();
            if (at >= end) {
                return false;
            }
            byte next = json[at++];
            if (next == ']') {
                return true;
            }
            if (next != ',') {
                return false;
            }
        }
    }

    private boolean value(int where, int depth) {
        return switch (json[at]) {
            case '"' -> string();
            case '{' -> object(where, depth);
            case '[' -> array(OTHER, depth);
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        };
    }

    private boolean number() {
        int start = at;
        while (at < end) {
            byte c = json[at];
            if (c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E') {
                at++;
            } else {
                break;
            }
        }
        return at > start;
    }

    private boolean literal(String word) {
        if (end - at < word.length() || !is(word, at, at + word.length())) {
            return false;
        }
        at += word.length();
        return true;
    }

    /** Steps over a string, from its opening quote to behind its closing one. */
    private boolean string() {
        if (at >= end || json[at] != '"') {
            return false;
        }
        int i = at + 1;
        while (i < end) {
            byte c = json[i];
            if (c == '"') {
                at = i + 1;
                return true;
            }
            if (c >= 0 && c < 0x20) {
                return false;
            }
            i += c == '\\' ? 2 : 1;
        }
        return false;
    }

    private void space() {
        while (at < end && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at++;
        }
    }

    private boolean is(String word, int from, int to) {
        int length = word.length();
        if (to - from != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (json[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
