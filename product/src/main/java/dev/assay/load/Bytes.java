package dev.assay.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing run of bytes that keeps its storage when cleared. */
final class Bytes {
    byte[] array = new byte[512];
    int length;

    void append(byte[] from, int offset, int count) {
        if (length + count > array.length) {
            array = Arrays.copyOf(array, Math.max(array.length * 2, length + count));
        }
        System.arraycopy(from, offset, array, length, count);
        length += count;
    }

    void append(byte value) {
        if (length == array.length) {
            array = Arrays.copyOf(array, length * 2);
        }
        array[length++] = value;
    }

    void clear() {
        length = 0;
    }

    /** The content as one line of at most {@code limit} characters. */
    String line(int limit) {
        String text = new String(array, 0, Math.min(length, limit * 4), StandardCharsets.UTF_8)
                .replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return text.length() > limit ? text.substring(0, limit) + "…" : text;
    }
}
