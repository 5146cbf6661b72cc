package dev.assay.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * GPT-2's table between bytes and printable characters, in which byte-level vocabularies are written: printable bytes
 * stand for themselves, the others for the characters from U+0100 on, in order.
 */
final class ByteText {
    private static final char[] CHAR = new char[256];
    private static final int[] BYTE = new int[512];

    static {
        int extra = 0;
        for (int b = 0; b < 256; b++) {
            boolean printable = b >= 33 && b < 127 || b >= 161 && b < 173 || b >= 174;
            CHAR[b] = (char) (printable ? b : 256 + extra++);
        }
        Arrays.fill(BYTE, -1);
        for (int b = 0; b < 256; b++) {
            BYTE[CHAR[b]] = b;
        }
    }

    private ByteText() {}

    /** The character that stands for a byte. */
    static String text(int b) {
        return String.valueOf(CHAR[b & 0xff]);
    }

    /** The bytes that a vocabulary entry stands for; an entry outside the table stands for its own UTF-8. */
    static byte[] bytes(String entry) {
        byte[] bytes = new byte[entry.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = entry.charAt(i);
            if (c >= BYTE.length || BYTE[c] < 0) {
                return entry.getBytes(StandardCharsets.UTF_8);
            }
            bytes[i] = (byte) BYTE[c];
        }
        return bytes;
    }
}
