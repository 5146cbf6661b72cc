package dev.assay.engine;

import java.util.Locale;

/** Why a generation ended, as the OpenAI API names it. */
enum FinishReason {
    /** A stop string or the end token. */
    STOP,
    /** All tokens that it may generate. */
    LENGTH,
    /** The client went away or the server stopped. */
    ABORT;

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
