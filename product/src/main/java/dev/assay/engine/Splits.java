package dev.assay.engine;

import dev.assay.AssayException;
import dev.assay.model.Gguf;
import java.util.regex.Pattern;

/** How a text is cut into words before pairs are merged, by {@code tokenizer.ggml.pre}. */
final class Splits {
    /** The pattern that assay-18m was trained with; its file says gpt-2, which agrees but for contractions. */
    private static final String ASSAY = " ?[A-Za-z]+| ?[0-9]+| ?[^\\sA-Za-z0-9]+|\\s+(?!\\S)|\\s+";
    private static final String GPT2 = "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
    private static final String LLAMA3 = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
            + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

    private Splits() {}

    static Pattern of(Gguf gguf) {
        String pre = gguf.string("tokenizer.ggml.pre");
        boolean own = gguf.has("general.name") && gguf.string("general.name").equals("assay-18m");
        String pattern = switch (pre) {
            case "gpt-2", "default" -> own ? ASSAY : GPT2;
            case "llama-bpe", "llama3" -> LLAMA3;
            default -> throw AssayException.misuse(gguf.file() + ": tokenizer.ggml.pre " + pre
                    + " is not supported: expected gpt-2 or llama-bpe");
        };
        return Pattern.compile(pattern, Pattern.UNICODE_CHARACTER_CLASS);
    }
}
