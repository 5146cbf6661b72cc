package dev.assay.engine;

import java.nio.file.Path;

/** The decoder over paged keys and values; its kernels follow in the next commits of this branch. */
final class PagedDecoder {
    private PagedDecoder() {
    }

    static Decoder load(Path gguf, DecoderConfig config) {
        throw new UnsupportedOperationException("no kernels yet: " + gguf + " " + config);
    }
}
