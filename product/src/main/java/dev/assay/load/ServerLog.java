package dev.assay.load;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The file that a server writes its output to, of bounded size. The server writes to the file itself, so that no pipe can
 * hold it up; past the limit its end is copied to {@code NAME.last} (and at the first time its beginning to
 * {@code NAME.first}) and it is emptied in place. Lines written between the copy and the emptying are lost.
 */
final class ServerLog implements AutoCloseable {
    static final long LIMIT_BYTES = 32L << 20;
    private static final int KEPT_BYTES = 256 << 10;
    private static final long PERIOD_MILLIS = 250;
    private static final int TAIL_BYTES = 16 << 10;
    private static final int DETAIL_LIMIT = 300;

    private final Path file;
    private final long limitBytes;
    private final Thread keeper;
    private long searched;
    private String carry = "";

    private ServerLog(Path file, long limitBytes) {
        this.file = file;
        this.limitBytes = limitBytes;
        this.keeper = Thread.ofPlatform().daemon().name("assay-log").start(this::keep);
    }

    /** Begins an empty file; the server has to append to it. */
    static ServerLog begin(Path file, long limitBytes) throws IOException {
        Files.write(file, new byte[0]);
        return new ServerLog(file, limitBytes);
    }

    private void keep() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                bound();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empties the file where it is past the limit. */
    synchronized void bound() {
        try {
            if (Files.size(file) <= limitBytes) {
                return;
            }
            Path first = sibling(".first");
            if (!Files.exists(first)) {
                Files.write(first, part(0, (int) Math.min(KEPT_BYTES, limitBytes)));
            }
            long size = Files.size(file);
            int kept = (int) Math.min(KEPT_BYTES, size);
            Files.write(sibling(".last"), part(size - kept, kept));
            Files.write(file, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
            searched = 0;
        } catch (IOException e) {
            // A full disk or a file that was taken away: the server's output is not worth ending the run for.
            carry = "";
        }
    }

    private Path sibling(String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    private byte[] part(long from, int length) throws IOException {
        try (RandomAccessFile reader = new RandomAccessFile(file.toFile(), "r")) {
            int there = (int) Math.max(0, Math.min(length, reader.length() - from));
            byte[] bytes = new byte[there];
            reader.seek(from);
            reader.readFully(bytes);
            return bytes;
        }
    }

    /** The last lines that are not blank, oldest first. */
    synchronized List<String> tail(int lines) {
        List<String> all = new ArrayList<>();
        try {
            long size = Files.size(file);
            if (size < TAIL_BYTES && Files.exists(sibling(".last"))) {
                all.addAll(clean(new String(Files.readAllBytes(sibling(".last")), StandardCharsets.UTF_8)));
            }
            all.addAll(clean(new String(part(Math.max(0, size - TAIL_BYTES), TAIL_BYTES),
                    StandardCharsets.UTF_8)));
        } catch (IOException e) {
            return List.copyOf(all);
        }
        return List.copyOf(all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    private static List<String> clean(String text) {
        return text.lines().filter(l -> !l.isBlank())
                .map(l -> l.strip().replaceAll("\\p{Cntrl}", ""))
                .map(l -> l.length() > DETAIL_LIMIT ? l.substring(0, DETAIL_LIMIT) + "…" : l).toList();
    }

    /** Whether a line matches among those that were not searched before. */
    synchronized boolean finds(Pattern pattern) {
        try {
            long size = Files.size(file);
            while (searched < size) {
                byte[] bytes = part(searched, TAIL_BYTES);
                searched += bytes.length;
                String text = carry + new String(bytes, StandardCharsets.UTF_8);
                if (text.lines().anyMatch(l -> pattern.matcher(l).find())) {
                    return true;
                }
                int cut = text.lastIndexOf('\n') + 1;
                carry = text.length() - cut > TAIL_BYTES ? "" : text.substring(cut);
            }
        } catch (IOException e) {
            return false;
        }
        return false;
    }

    @Override
    public void close() {
        keeper.interrupt();
    }
}
