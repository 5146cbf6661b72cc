package dev.assay.quality;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Names of tokens and the text that they make together; a token may be a part of a character. */
final class TokenText {
    private static final String BYTES = "bytes:";
    private static final String REPLACEMENT = "\uFFFD";

    private TokenText() {}

    /** The text of a token, or {@code bytes:\xNN...} where its bytes are no whole text. */
    static String name(byte[] bytes) {
        return decode(bytes)
                .orElseGet(() -> BYTES + HexFormat.ofDelimiter("").withPrefix("\\x").formatHex(bytes));
    }

    /** The text of tokens in a row; empty where they end within a character or a name hides the token's bytes. */
    static Optional<String> join(List<String> names) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String name : names) {
            if (hidden(name)) {
                return Optional.empty();
            }
            all.writeBytes(name.startsWith(BYTES + "\\x")
                    ? HexFormat.ofDelimiter("").withPrefix("\\x").parseHex(name.substring(BYTES.length()))
                    : name.getBytes(StandardCharsets.UTF_8));
        }
        return decode(all.toByteArray());
    }

    /** Whether a name has the replacement character, so that different tokens may share it. */
    static boolean hidden(String name) {
        return name.contains(REPLACEMENT);
    }

    private static Optional<String> decode(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
