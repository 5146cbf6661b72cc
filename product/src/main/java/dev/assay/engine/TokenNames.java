package dev.assay.engine;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The name of a token in log-probabilities: its text, or {@code bytes:\xNN} where it is no whole text. */
final class TokenNames {
    private TokenNames() {}

    static String of(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            StringBuilder name = new StringBuilder("bytes:");
            for (byte b : bytes) {
                name.append("\\x").append(Character.forDigit(b >> 4 & 15, 16))
                        .append(Character.forDigit(b & 15, 16));
            }
            return name.toString();
        }
    }
}
