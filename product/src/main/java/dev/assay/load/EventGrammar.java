package dev.assay.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where in the events of one interface the metrics find what they need: for each place, the keys that matter there and
 * what their values mean. {@link EventScanner} and {@link EventReader} both read by it.
 */
final class EventGrammar {
    /** The outermost object. */
    static final int TOP = 0;
    /** A place where nothing matters. */
    static final int NOWHERE = -1;

    /** What a value means; a value of another JSON type than the one named means nothing. */
    enum Meaning {
        /** An object, to be looked into. */
        OBJECT('{'),
        /** An array whose objects are to be looked into; each may carry tokens. */
        LIST('['),
        /** Text of the answer. */
        ANSWER('"'),
        /** Text of the model's reasoning. */
        REASONING('"'),
        /** Tool calls; an array that is not empty is part of the answer. */
        TOOLS('['),
        /** Tokens of the prompt. */
        PROMPT(' '),
        /** Tokens generated so far. */
        COMPLETION(' '),
        /** Tokens of the prompt that a prefix cache gave. */
        CACHED(' '),
        /** Anything but null is an error. */
        ERROR(' '),
        /** {@code true} ends the stream. */
        ENDS_IF_TRUE('t'),
        /** Any text ends the stream. */
        ENDS_IF_TEXT('"'),
        /** {@code true} says that the token's text is no part of the answer, such as an end mark. */
        SPECIAL('t'),
        /** The texts {@code abort} and {@code error} say that the server gave the request up. */
        FINISH('"');

        private final byte first;

        Meaning(char first) {
            this.first = (byte) first;
        }

        /** Whether a value that begins with this byte can mean it. */
        boolean fits(byte begin) {
            return first == begin || first == ' ' && (this != ERROR || begin != 'n');
        }
    }

    /**
     * One key of one place.
     *
     * @param key the name's bytes
     * @param into the place inside the value
     * @param tokens how the value's presence bears on tokens
     */
    record Rule(String name, byte[] key, Meaning meaning, int into, Tokens tokens) {}

    /** How the presence of a value bears on tokens. */
    enum Tokens {
        /** Not at all. */
        NOTHING,
        /** Its event may carry tokens. */
        POSSIBLE,
        /** Its event carries a token, with or without text. */
        CERTAIN
    }

    private static final Rule[] NONE = new Rule[0];

    /** The events of {@code /v1/completions} and {@code /v1/chat/completions}. */
    static final EventGrammar OPENAI = new EventGrammar().rule(0, "choices", Meaning.LIST, 1, Tokens.POSSIBLE)
            .rule(0, "usage", Meaning.OBJECT, 3).rule(0, "error", Meaning.ERROR)
            .rule(1, "text", Meaning.ANSWER).rule(1, "delta", Meaning.OBJECT, 2)
            .rule(1, "finish_reason", Meaning.FINISH)
            .rule(2, "content", Meaning.ANSWER).rule(2, "reasoning_content", Meaning.REASONING)
            .rule(2, "reasoning", Meaning.REASONING).rule(2, "tool_calls", Meaning.TOOLS)
            .rule(3, "prompt_tokens", Meaning.PROMPT).rule(3, "completion_tokens", Meaning.COMPLETION)
            .rule(3, "prompt_tokens_details", Meaning.OBJECT, 4).rule(4, "cached_tokens", Meaning.CACHED);

    /** The events of SGLang's {@code /generate}. */
    static final EventGrammar SGLANG = new EventGrammar()
            .rule(0, "text", Meaning.ANSWER, NOWHERE, Tokens.POSSIBLE)
            .rule(0, "meta_info", Meaning.OBJECT, 1, Tokens.POSSIBLE).rule(0, "error", Meaning.ERROR)
            .rule(1, "prompt_tokens", Meaning.PROMPT).rule(1, "completion_tokens", Meaning.COMPLETION)
            .rule(1, "cached_tokens", Meaning.CACHED).rule(1, "finish_reason", Meaning.OBJECT, 2)
            .rule(2, "type", Meaning.FINISH);

    /** The events of TGI's {@code /generate_stream}. */
    static final EventGrammar TGI = new EventGrammar().rule(0, "token", Meaning.OBJECT, 1, Tokens.CERTAIN)
            .rule(0, "generated_text", Meaning.ENDS_IF_TEXT).rule(0, "details", Meaning.OBJECT, 2)
            .rule(0, "error", Meaning.ERROR).rule(1, "text", Meaning.ANSWER)
            .rule(1, "special", Meaning.SPECIAL)
            .rule(2, "generated_tokens", Meaning.COMPLETION).rule(2, "input_length", Meaning.PROMPT);

    /** The events of llama.cpp's {@code /completion}. */
    static final EventGrammar LLAMA_CPP = new EventGrammar()
            .rule(0, "content", Meaning.ANSWER, NOWHERE, Tokens.POSSIBLE)
            .rule(0, "tokens_predicted", Meaning.COMPLETION).rule(0, "tokens_evaluated", Meaning.PROMPT)
            .rule(0, "stop", Meaning.ENDS_IF_TRUE).rule(0, "timings", Meaning.OBJECT, 1)
            .rule(0, "error", Meaning.ERROR).rule(1, "cache_n", Meaning.CACHED);

    private final List<Rule[]> places = new ArrayList<>();

    private EventGrammar() {}

    private EventGrammar rule(int place, String key, Meaning meaning) {
        return rule(place, key, meaning, NOWHERE);
    }

    private EventGrammar rule(int place, String key, Meaning meaning, int into) {
        return rule(place, key, meaning, into, Tokens.NOTHING);
    }

    private EventGrammar rule(int place, String key, Meaning meaning, int into, Tokens tokens) {
        while (places.size() <= Math.max(place, into)) {
            places.add(NONE);
        }
        Rule[] old = places.get(place);
        Rule[] all = Arrays.copyOf(old, old.length + 1);
        all[old.length] = new Rule(key, key.getBytes(StandardCharsets.US_ASCII), meaning, into, tokens);
        places.set(place, all);
        return this;
    }

    /** The keys that matter at a place. */
    Rule[] at(int place) {
        return place == NOWHERE ? NONE : places.get(place);
    }
}
