package dev.assay.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing run of bytes that keeps its storage when cleared, and searches in byte arrays eight bytes at a time. */
final class Bytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class,
            ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final int KEPT = 64 << 10;

    byte[] array = new byte[256];
    int length;

    void append(byte[] from, int offset, int count) {
        room(count);
        System.arraycopy(from, offset, array, length, count);
        length += count;
    }

    void append(byte value) {
        room(1);
        array[length++] = value;
    }

    /** Appends a number of 0 or more in decimal digits. */
    void decimal(long value) {
        int digits = 1;
        for (long v = value; v >= 10; v /= 10) {
            digits++;
        }
        room(digits);
        long rest = value;
        for (int i = digits - 1; i >= 0; i--) {
            array[length + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    private void room(int count) {
        if (length + count > array.length) {
            array = Arrays.copyOf(array, Math.max(array.length * 2, length + count));
        }
    }

    /** Empties it; storage that one large run needed is given back. */
    void clear() {
        length = 0;
        if (array.length > KEPT) {
            array = new byte[256];
        }
    }

    /** The content as one line of at most {@code limit} characters. */
    String line(int limit) {
        return line(array, 0, length, limit);
    }

    /** A run of bytes as one line of at most {@code limit} characters. */
    static String line(byte[] bytes, int from, int count, int limit) {
        String text = new String(bytes, from, Math.min(count, limit * 4), StandardCharsets.UTF_8)
                .replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return text.length() > limit ? text.substring(0, limit) + "…" : text;
    }

    /** Where the first CR or LF at or after {@code from} is, {@code to} where there is none. */
    static int lineEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i + 8 <= to) {
            long word = (long) LONG.get(bytes, i);
            // The lowest set bit of both terms is exact; false marks come only above a true one.
            long marks = (zeros(word ^ ONES * '\n') | zeros(word ^ ONES * '\r')) & HIGH;
            if (marks != 0) {
                return i + (Long.numberOfTrailingZeros(marks) >>> 3);
            }
            i += 8;
        }
        while (i < to && bytes[i] != '\n' && bytes[i] != '\r') {
            i++;
        }
        return i;
    }

    /** Where the first quote, backslash or control character at or after {@code from} is, {@code to} if none. */
    static int textEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i + 8 <= to) {
            long word = (long) LONG.get(bytes, i);
            long marks = (zeros(word ^ ONES * '"') | zeros(word ^ ONES * '\\')
                    | word - ONES * 0x20 & ~word) & HIGH;
            if (marks != 0) {
                return i + (Long.numberOfTrailingZeros(marks) >>> 3);
            }
            i += 8;
        }
        while (i < to && bytes[i] != '"' && bytes[i] != '\\' && (bytes[i] < 0 || bytes[i] >= 0x20)) {
            i++;
        }
        return i;
    }

    /** High bits mark zero bytes, up to and including the lowest one exactly. */
    private static long zeros(long word) {
        return word - ONES & ~word;
    }
}
