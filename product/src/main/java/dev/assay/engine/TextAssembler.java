package dev.assay.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Turns the bytes of tokens into text at character boundaries and finds stop strings, also those that span tokens. Text
 * that may be the beginning of a stop string is held back until that is decided.
 */
final class TextAssembler {
    private final List<String> stops;
    private byte[] incomplete = {};
    private String held = "";
    private Optional<String> found = Optional.empty();

    TextAssembler(List<String> stops) {
        this.stops = stops;
    }

    /** The stop string that was found. */
    Optional<String> found() {
        return found;
    }

    /** Adds a token's bytes; gives the text that is now certain. Before {@code mayStop} no stop string counts. */
    String append(byte[] bytes, boolean mayStop) {
        byte[] all = Arrays.copyOf(incomplete, incomplete.length + bytes.length);
        System.arraycopy(bytes, 0, all, incomplete.length, bytes.length);
        int complete = all.length - unfinished(all);
        incomplete = Arrays.copyOfRange(all, complete, all.length);
        String text = held + new String(all, 0, complete, StandardCharsets.UTF_8);
        held = "";
        if (stops.isEmpty() || !mayStop) {
            return text;
        }
        return untilStop(text);
    }

    /** What is still held when no token follows; an unfinished character becomes the replacement character. */
    String finish() {
        String rest = held + new String(incomplete, StandardCharsets.UTF_8);
        held = "";
        incomplete = new byte[0];
        return rest;
    }

    private String untilStop(String text) {
        int at = -1;
        for (String stop : stops) {
            int i = text.indexOf(stop);
            if (i >= 0 && (at < 0 || i < at)) {
                at = i;
                found = Optional.of(stop);
            }
        }
        if (at >= 0) {
            incomplete = new byte[0];
            return text.substring(0, at);
        }
        int keep = stops.stream().mapToInt(stop -> overlap(text, stop)).max().orElse(0);
        held = text.substring(text.length() - keep);
        return text.substring(0, text.length() - keep);
    }

    /** Length of the longest end of {@code text} that is a proper beginning of {@code stop}. */
    private static int overlap(String text, String stop) {
        int n = Math.min(text.length(), stop.length() - 1);
        while (n > 0 && !text.endsWith(stop.substring(0, n))) {
            n--;
        }
        return n;
    }

    /** Bytes at the end that begin a UTF-8 character without ending it. */
    private static int unfinished(byte[] bytes) {
        for (int back = 1; back <= Math.min(3, bytes.length); back++) {
            int b = bytes[bytes.length - back] & 0xff;
            if (b >= 0xc0) {
                int length = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
                return length > back ? back : 0;
            }
            if (b < 0x80) {
                return 0;
            }
        }
        return 0;
    }
}
