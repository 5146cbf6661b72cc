package dev.assay.load;

import dev.assay.load.EventGrammar.Meaning;
import dev.assay.load.EventGrammar.Rule;
import dev.assay.load.EventGrammar.Tokens;

/**
 * Reads out of one streamed JSON event only what the metrics need, without allocating.
 *
 * <p>It looks where the interface's {@link EventGrammar} says and checks the syntax of all else on the way. Where it
 * cannot read an event it says so, and the caller asks the full parser. The events of a stream differ only in a text
 * and a few numbers, so the last event that was read in full serves as a mould for the next ones ({@link EventMould}).
 */
final class EventScanner {
    private static final int MAX_DEPTH = 64;

    /** What was found in the last event. */
    final Found found = new Found();

    private final EventGrammar grammar;
    private final EventMould mould = new EventMould();
    private byte[] json = new byte[0];
    private int at;
    private int end;

    EventScanner(EventGrammar grammar) {
        this.grammar = grammar;
    }

    /** What one event holds; counts are −1 where it does not say. */
    static final class Found {
        /** Whether it carried text: answer, reasoning, a tool call, or what its interface sends only with a token. */
        boolean hasText;
        /** Whether it carried text of the answer or a tool call. */
        boolean hasAnswer;
        /** Whether it is of a kind that may carry tokens. */
        boolean mayCarry;
        boolean hasError;
        /** Whether it ends the stream. */
        boolean ends;
        /** Whether its text is a mark and no part of the answer. */
        boolean special;
        /** Whether its interface sends such an event only with a token. */
        boolean certain;
        /** Whether it carried a tool call. */
        boolean tools;
        long promptTokens;
        long completionTokens;
        long cachedTokens;
        /** The answer's text as the JSON between its quotes; length 0 where there is none. */
        int textStart;
        int textLength;

        void clear() {
            hasText = false;
            hasAnswer = false;
            mayCarry = false;
            hasError = false;
            ends = false;
            special = false;
            certain = false;
            tools = false;
            promptTokens = -1;
            completionTokens = -1;
            cachedTokens = -1;
            textStart = 0;
            textLength = 0;
        }

        void copyFrom(Found other) {
            hasText = other.hasText;
            hasAnswer = other.hasAnswer;
            mayCarry = other.mayCarry;
            hasError = other.hasError;
            ends = other.ends;
            special = other.special;
            certain = other.certain;
            tools = other.tools;
            promptTokens = other.promptTokens;
            completionTokens = other.completionTokens;
            cachedTokens = other.cachedTokens;
            textStart = 0;
            textLength = 0;
        }

        void count(Meaning meaning, long value) {
            switch (meaning) {
                case PROMPT -> promptTokens = value;
                case COMPLETION -> completionTokens = value;
                case CACHED -> cachedTokens = value;
                case OBJECT, LIST, ANSWER, REASONING, TOOLS, ERROR, ENDS_IF_TRUE, ENDS_IF_TEXT, SPECIAL,
                        FINISH ->
                    throw new IllegalArgumentException(meaning + " is no count");
            }
        }

        void text(Meaning meaning, int start, int length) {
            if (length == 0) {
                return;
            }
            hasText = true;
            if (meaning == Meaning.ANSWER) {
                hasAnswer = true;
                if (textLength == 0) {
                    textStart = start;
                    textLength = length;
                }
            }
        }

        void tokens(Tokens tokens) {
            mayCarry |= tokens != Tokens.NOTHING;
            certain |= tokens == Tokens.CERTAIN;
            hasText |= certain;
        }

        void toolCall() {
            tools = true;
            hasText = true;
            hasAnswer = true;
        }
    }

    /** Reads one event; false where it is not JSON that this scanner understands. */
    boolean scan(byte[] bytes, int from, int to) {
        if (mould.fits(bytes, from, to, found)) {
            return true;
        }
        json = bytes;
        at = from;
        end = to;
        found.clear();
        mould.begin(from);
        space();
        if (at >= end || json[at] != '{' || !object(EventGrammar.TOP, 0)) {
            return false;
        }
        space();
        if (at != end) {
            return false;
        }
        mould.keep(bytes, from, to, found);
        return true;
    }

    private boolean object(int place, int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        Rule[] rules = grammar.at(place);
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
            if (at >= end || !field(rules, keyStart, keyEnd, depth + 1)) {
                return false;
            }
            space();
            if (at >= end) {
                return false;
            }
            byte next = json[at++];
            if (next != ',') {
                return next == '}';
            }
        }
    }

    private boolean field(Rule[] rules, int keyStart, int keyEnd, int depth) {
        byte first = json[at];
        for (Rule rule : rules) {
            if (rule.meaning().fits(first) && is(rule.key(), keyStart, keyEnd)) {
                found.tokens(rule.meaning() == Meaning.LIST ? Tokens.NOTHING : rule.tokens());
                return value(rule, depth);
            }
        }
        return value(EventGrammar.NOWHERE, depth);
    }

    private boolean value(Rule rule, int depth) {
        Meaning meaning = rule.meaning();
        int start = at;
        return switch (meaning) {
            case OBJECT -> object(rule.into(), depth);
            case LIST -> array(rule.into(), depth);
            case ANSWER, REASONING -> text(meaning);
            case TOOLS -> {
                boolean read = array(EventGrammar.NOWHERE, depth);
                if (at - start > 2) {
                    found.toolCall();
                }
                yield read;
            }
            case PROMPT, COMPLETION, CACHED -> count(meaning);
            case ERROR -> {
                found.hasError = true;
                yield value(EventGrammar.NOWHERE, depth);
            }
            case ENDS_IF_TRUE -> {
                found.ends = true;
                yield literal(TRUE);
            }
            case ENDS_IF_TEXT -> {
                found.ends = true;
                yield string();
            }
            case SPECIAL -> {
                found.special = true;
                yield literal(TRUE);
            }
            case FINISH -> {
                boolean read = string();
                found.hasError |= is(ABORT, start + 1, at - 1) || is(FAILED, start + 1, at - 1);
                yield read;
            }
        };
    }

    private boolean text(Meaning meaning) {
        int start = at + 1;
        if (!string()) {
            return false;
        }
        found.text(meaning, start, at - 1 - start);
        mould.variable(meaning == Meaning.ANSWER ? EventMould.ANSWER : EventMould.REASONING, start, at - 1);
        return true;
    }

    /** A non-negative whole number, or null, which says nothing. */
    private boolean count(Meaning meaning) {
        if (json[at] == 'n') {
            return literal(NULL);
        }
        int start = at;
        long value = 0;
        while (at < end && json[at] >= '0' && json[at] <= '9' && at - start < 18) {
            value = value * 10 + json[at++] - '0';
        }
        if (at == start || at < end && (json[at] == '.' || json[at] == 'e' || json[at] == 'E')) {
            return false;
        }
        found.count(meaning, value);
        mould.variable(EventMould.count(meaning), start, at);
        return true;
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
            found.mayCarry |= element != EventGrammar.NOWHERE && json[at] == '{';
            if (!value(element, depth + 1)) {
                return false;
            }
            space();
            if (at >= end) {
                return false;
            }
            byte next = json[at++];
            if (next != ',') {
                return next == ']';
            }
        }
    }

    private boolean value(int place, int depth) {
        return switch (json[at]) {
            case '"' -> string();
            case '{' -> object(place, depth);
            case '[' -> array(EventGrammar.NOWHERE, depth);
            case 't' -> literal(TRUE);
            case 'f' -> literal(FALSE);
            case 'n' -> literal(NULL);
            default -> number();
        };
    }

    private boolean number() {
        int start = at;
        at = EventMould.numberEnd(json, at, end);
        mould.variable(EventMould.NUMBER, start, at);
        return at > start;
    }

    private boolean literal(byte[] word) {
        if (end - at < word.length || !is(word, at, at + word.length)) {
            return false;
        }
        at += word.length;
        return true;
    }

    /** Steps over a string, from its opening quote to behind its closing one. */
    private boolean string() {
        if (at >= end || json[at] != '"') {
            return false;
        }
        int close = closing(json, at + 1, end);
        if (close < 0) {
            return false;
        }
        at = close + 1;
        return true;
    }

    /** The closing quote of the string whose content begins at {@code from}; −1 where there is none. */
    static int closing(byte[] json, int from, int end) {
        int i = from;
        while (true) {
            i = Bytes.textEnd(json, i, end);
            if (i >= end || json[i] != '"' && json[i] != '\\') {
                return -1;
            }
            if (json[i] == '"') {
                return i;
            }
            i += 2;
        }
    }

    private void space() {
        while (at < end && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at++;
        }
    }

    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final byte[] ABORT = {'a', 'b', 'o', 'r', 't'};
    private static final byte[] FAILED = {'e', 'r', 'r', 'o', 'r'};

    private boolean is(byte[] word, int from, int to) {
        int length = word.length;
        if (to - from != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (json[from + i] != word[i]) {
                return false;
            }
        }
        return true;
    }
}
