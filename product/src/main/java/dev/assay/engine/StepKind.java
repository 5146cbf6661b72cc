package dev.assay.engine;

import java.util.Locale;

/** What a step computed. */
enum StepKind {
    /** One token for each of some sequences. */
    DECODE,
    /** Decodes and prompt tokens. */
    MIXED,
    /** Prompt tokens only. */
    PREFILL;

    static StepKind of(int decodeRows, int prefillTokens) {
        if (prefillTokens == 0) {
            return DECODE;
        }
        return decodeRows == 0 ? PREFILL : MIXED;
    }

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
