package dev.assay.engine;

import dev.assay.AssayException;
import dev.assay.model.Gguf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Byte-level byte-pair encoding from the vocabulary and merges of a GGUF file. Text is split into words by the pattern
 * that {@code tokenizer.ggml.pre} names; within a word the pair of lowest rank is merged first, the leftmost of equals.
 */
public final class Tokenizer {
    private static final byte[] NOTHING = {};
    /** {@code tokenizer.ggml.token_type} of a control token, which stands for no text. */
    private static final long CONTROL = 3;

    private final Pattern words;
    private final byte[][] bytes;
    private final int[] byteIds = new int[256];
    /** Pair of ids to rank (upper half) and merged id (lower half). */
    private final Map<Long, Long> merges;
    private final int bos;
    private final int eos;

    private Tokenizer(Pattern words, byte[][] bytes, Map<Long, Long> merges, Map<String, Integer> ids,
            int bos,
            int eos) {
        this.words = words;
        this.bytes = bytes;
        this.merges = merges;
        this.bos = bos;
        this.eos = eos;
        for (int b = 0; b < 256; b++) {
            byteIds[b] = ids.getOrDefault(ByteText.text(b), -1);
        }
    }

    /** The tokenizer of a model file; any other than byte-level BPE is refused in one line. */
    public static Tokenizer of(Gguf gguf) {
        String model = gguf.string("tokenizer.ggml.model");
        if (!model.equals("gpt2")) {
            throw AssayException.misuse(gguf.file() + ": tokenizer.ggml.model " + model
                    + " is not supported: expected gpt2 (byte-level BPE)");
        }
        Pattern words = Splits.of(gguf);
        List<String> entries = gguf.strings("tokenizer.ggml.tokens");
        Map<String, Integer> ids = HashMap.newHashMap(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            ids.put(entries.get(i), i);
        }
        List<Long> types = gguf.integers("tokenizer.ggml.token_type", entries.size());
        byte[][] bytes = new byte[entries.size()][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = types.get(i) == CONTROL ? NOTHING : ByteText.bytes(entries.get(i));
        }
        return new Tokenizer(words, bytes, merges(gguf, ids), ids,
                special(gguf, "tokenizer.ggml.bos_token_id", bytes),
                special(gguf, "tokenizer.ggml.eos_token_id", bytes));
    }

    private static int special(Gguf gguf, String key, byte[][] bytes) {
        int id = gguf.integer(key);
        if (id < 0 || id >= bytes.length) {
            throw AssayException.misuse(
                    gguf.file() + ": " + key + " " + id + ": expected an id below " + bytes.length);
        }
        return id;
    }

    private static Map<Long, Long> merges(Gguf gguf, Map<String, Integer> ids) {
        List<String> lines = gguf.strings("tokenizer.ggml.merges");
        Map<Long, Long> merges = HashMap.newHashMap(lines.size());
        for (int rank = 0; rank < lines.size(); rank++) {
            String line = lines.get(rank);
            int space = line.indexOf(' ', 1);
            Integer left = space < 0 ? null : ids.get(line.substring(0, space));
            Integer right = space < 0 ? null : ids.get(line.substring(space + 1));
            Integer whole = space < 0 ? null : ids.get(line.substring(0, space) + line.substring(space + 1));
            if (left == null || right == null || whole == null) {
                throw AssayException
                        .misuse(gguf.file() + ": tokenizer.ggml.merges entry " + rank + " \"" + line
                                + "\": expected two known tokens, a space between, whose union is known");
            }
            merges.putIfAbsent(pair(left, right), (long) rank << 32 | whole);
        }
        return merges;
    }

    private static long pair(int left, int right) {
        return (long) left << 32 | right;
    }

    /** The ids of a text, without begin or end marks; text that spells a control token is ordinary text. */
    public int[] encode(String text) {
        int[] out = new int[16];
        int count = 0;
        Matcher matcher = words.matcher(text);
        while (matcher.find()) {
            int[] word = merge(matcher.group());
            if (count + word.length > out.length) {
                out = Arrays.copyOf(out, Math.max(out.length * 2, count + word.length));
            }
            System.arraycopy(word, 0, out, count, word.length);
            count += word.length;
        }
        return Arrays.copyOf(out, count);
    }

    /** A pair that may be merged: its left end, both ids as they were when it was found, and its rank. */
    private record Candidate(int rank, int left, int leftId, int rightId,
            int merged) implements Comparable<Candidate> {
        @Override
        public int compareTo(Candidate other) {
            return rank != other.rank ? Integer.compare(rank, other.rank) : Integer.compare(left, other.left);
        }
    }

    /** Merges over a linked list with a queue, so that a long word costs n log n. */
    private int[] merge(String word) {
        byte[] raw = word.getBytes(StandardCharsets.UTF_8);
        int n = raw.length;
        int[] id = new int[n];
        int[] next = new int[n];
        int[] previous = new int[n];
        for (int i = 0; i < n; i++) {
            id[i] = byteIds[raw[i] & 0xff];
            next[i] = i + 1;
            previous[i] = i - 1;
        }
        PriorityQueue<Candidate> queue = new PriorityQueue<>();
        for (int i = 0; i + 1 < n; i++) {
            offer(queue, i, id[i], id[i + 1]);
        }
        for (Candidate c = queue.poll(); c != null; c = queue.poll()) {
            int right = id[c.left] == c.leftId ? next[c.left] : n;
            if (right >= n || id[right] != c.rightId) {
                continue;
            }
            id[c.left] = c.merged;
            id[right] = -1;
            int after = next[right];
            next[c.left] = after;
            if (after < n) {
                previous[after] = c.left;
                offer(queue, c.left, c.merged, id[after]);
            }
            if (previous[c.left] >= 0) {
                offer(queue, previous[c.left], id[previous[c.left]], c.merged);
            }
        }
        return Arrays.stream(id).filter(i -> i >= 0).toArray();
    }

    private void offer(PriorityQueue<Candidate> queue, int left, int leftId, int rightId) {
        Long found = merges.get(pair(leftId, rightId));
        if (found != null) {
            queue.add(new Candidate((int) (found >> 32), left, leftId, rightId, (int) (long) found));
        }
    }

    /** The bytes that an id stands for, perhaps part of a character; control tokens stand for none. Do not change it. */
    public byte[] bytes(int id) {
        if (id < 0 || id >= bytes.length) {
            throw new IllegalArgumentException(
                    "token id " + id + " must be between 0 and " + (bytes.length - 1));
        }
        return bytes[id];
    }

    /** The text of some ids; bytes that are no UTF-8 become the replacement character. */
    public String decode(int[] ids) {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        for (int id : ids) {
            out.writeBytes(bytes(id));
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Tokens known. */
    public int size() {
        return bytes.length;
    }

    /** The id that marks a beginning. */
    public int bos() {
        return bos;
    }

    /** The id that marks the end. */
    public int eos() {
        return eos;
    }
}
