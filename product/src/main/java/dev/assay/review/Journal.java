package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The append-only log of a review ({@code journal.jsonl}): one canonical JSON object a line, each with the SHA-256 of
 * the one before it ({@code prev}, 64 zeros in the first) and of itself without that field ({@code hash}).
 *
 * <p>An event is on the disk (fsync) when {@link #append} returns. A process that dies while it writes leaves at most one
 * line without its end, which the next {@link #open} cuts off and reports as {@link Event.Recovered}. One process at a
 * time may have a journal open.
 */
public final class Journal implements AutoCloseable {
    /** The file's name within a review. */
    public static final String FILE = "journal.jsonl";
    private static final String GENESIS = "0".repeat(64);

    private final FileChannel channel;
    private final FileLock lock;
    private final InstantSource clock;
    private final List<Entry> entries;

    /** One line: sequence number from 0, time (UTC, ISO 8601), the hash before, the event, this line's hash. */
    public record Entry(long seq, String at, String prev, Event event, String hash) {}

    private record Body(long seq, String at, String prev, Event event) {
        String digest() {
            return Json.digest(this);
        }
    }

    private Journal(FileChannel channel, FileLock lock, InstantSource clock, List<Entry> entries) {
        this.channel = channel;
        this.lock = lock;
        this.clock = clock;
        this.entries = entries;
    }

    /** The entries of a journal, each checked against its hash and its predecessor; faults name the line. */
    public static List<Entry> read(Path review) {
        Content content = content(review.resolve(FILE));
        if (content.torn() > 0) {
            throw AssayException.evidence(FILE + ": the last line has no end (" + content.torn()
                    + " bytes); a process died while writing it, and the next 'assay measure' cuts it off");
        }
        return content.entries();
    }

    /** Opens for appending and creates where absent; cuts off a torn last line. */
    public static Journal open(Path review, InstantSource clock) {
        Path file = review.resolve(FILE);
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            FileLock lock = lock(channel, file);
            Content content = content(file);
            channel.truncate(content.length());
            channel.position(content.length());
            Journal journal = new Journal(channel, lock, clock, new ArrayList<>(content.entries()));
            if (content.torn() > 0) {
                journal.append(new Event.Recovered(content.torn()));
            }
            return journal;
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be opened: " + e.getMessage(), e);
        }
    }

    private static FileLock lock(FileChannel channel, Path file) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw AssayException
                    .environment(file + ": another assay process works on this review; wait for it");
        }
        return lock;
    }

    /** Appends an event durably and returns its entry. */
    public Entry append(Event event) {
        String prev = entries.isEmpty() ? GENESIS : entries.getLast().hash();
        Body body = new Body(entries.size(), now(), prev, event);
        Entry entry = new Entry(body.seq(), body.at(), prev, event, body.digest());
        ByteBuffer line = StandardCharsets.UTF_8.encode(Json.canonical(entry) + "\n");
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(true);
        } catch (IOException e) {
            throw AssayException.environment(FILE + ": cannot be written (" + e.getMessage()
                    + "); what was measured before stays, run the command again when there is space", e);
        }
        entries.add(entry);
        return entry;
    }

    /** All entries so far. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    private String now() {
        Instant now = clock.instant();
        return now.truncatedTo(java.time.temporal.ChronoUnit.MILLIS).toString();
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            throw AssayException.environment(FILE + ": cannot be closed: " + e.getMessage(), e);
        }
    }

    /** @param length bytes of whole lines; {@code torn} bytes after them */
    private record Content(List<Entry> entries, long length, int torn) {}

    private static Content content(Path file) {
        byte[] bytes;
        try {
            bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
        List<Entry> entries = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                String prev = entries.isEmpty() ? GENESIS : entries.getLast().hash();
                entries.add(entry(new String(bytes, start, i - start, StandardCharsets.UTF_8), entries.size(),
                        prev));
                start = i + 1;
            }
        }
        return new Content(List.copyOf(entries), start, bytes.length - start);
    }

    private static Entry entry(String line, int index, String prev) {
        String where = FILE + ":" + (index + 1);
        JsonValue tree;
        Entry entry;
        try {
            tree = Json.parse(line, FILE);
            entry = Json.bind(tree, Entry.class);
        } catch (AssayException e) {
            throw AssayException
                    .evidence(where + ": is not an event of this format (" + e.getMessage() + ")");
        }
        if (!Json.canonical(tree).equals(line)) {
            throw AssayException
                    .evidence(where + ": is not in canonical form, so it was changed after it was written");
        }
        if (entry.seq() != index || !entry.prev().equals(prev)) {
            throw AssayException.evidence(where + ": does not follow the line before it (seq " + entry.seq()
                    + ", prev " + shortHash(entry.prev()) + "; expected seq " + index + ", prev "
                    + shortHash(prev)
                    + ")");
        }
        // Hashed over the tree as it was read, so that a field lost in binding cannot hide a change.
        Map<String, JsonValue> body = new java.util.LinkedHashMap<>(tree.asObject().fields());
        body.remove("hash");
        String expected = Json.digest(JsonValue.Obj.of(body));
        if (!entry.hash().equals(expected)) {
            throw AssayException
                    .evidence(where + ": its hash is " + shortHash(entry.hash()) + "; its content gives "
                            + shortHash(expected));
        }
        return entry;
    }

    private static String shortHash(String hash) {
        return hash.substring(0, Math.min(12, hash.length()));
    }
}
