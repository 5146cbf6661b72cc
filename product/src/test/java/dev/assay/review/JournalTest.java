package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z"));

    @TempDir
    Path review;

    private void write() {
        try (Journal journal = Journal.open(review, CLOCK)) {
            journal.append(new Event.Created("id-1", "a title with \"quotes\" and ü", Map.of("cpu", "x")));
            journal.append(new Event.SlotStarted(new SlotKey(0, 1, Arm.CANDIDATE, 2)));
            journal.append(new Event.SlotFailed(new SlotKey(0, 1, Arm.CANDIDATE, 2), "died",
                    List.of(new EvidenceRef("server-log", "00-server-log.txt", "00", 3))));
        }
    }

    private Path file() {
        return review.resolve(Journal.FILE);
    }

    @Test
    void whatIsAppendedReadsBack() {
        write();
        List<Journal.Entry> entries = Journal.read(review);
        assertThat(entries).extracting(Journal.Entry::seq).containsExactly(0L, 1L, 2L);
        assertThat(entries.get(1).event())
                .isEqualTo(new Event.SlotStarted(new SlotKey(0, 1, Arm.CANDIDATE, 2)));
        assertThat(entries.get(2).prev()).isEqualTo(entries.get(1).hash());
        assertThat(entries.getFirst().prev()).isEqualTo("0".repeat(64));
    }

    /** The hash is SHA-256 over the canonical line without its own field: recomputed here by hand. */
    @Test
    void theHashIsOverTheLineWithoutIt() throws IOException {
        write();
        String line = Files.readAllLines(file()).getFirst();
        String hash = Journal.read(review).getFirst().hash();
        String body = line.replace("\"hash\":\"" + hash + "\",", "");
        assertThat(dev.assay.json.Json.sha256(body.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo(hash);
    }

    @Test
    void everyChangedByteIsSeen() throws IOException {
        write();
        byte[] good = Files.readAllBytes(file());
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 1;
            Files.write(file(), bad);
            assertThatThrownBy(() -> Journal.read(review)).as("byte " + i).isInstanceOf(AssayException.class);
        }
    }

    @Test
    void removedAndSwappedLinesAreSeen() throws IOException {
        write();
        List<String> lines = Files.readAllLines(file());
        Files.write(file(), List.of(lines.get(0), lines.get(2)));
        assertThatThrownBy(() -> Journal.read(review)).hasMessageContaining("journal.jsonl:2");
        Files.write(file(), List.of(lines.get(1), lines.get(0), lines.get(2)));
        assertThatThrownBy(() -> Journal.read(review)).hasMessageContaining("journal.jsonl:1");
    }

    @Test
    void aLineCutAnywhereIsCutOffAndReported() throws IOException {
        write();
        byte[] good = Files.readAllBytes(file());
        int lastLine = 0;
        for (int i = 0; i < good.length - 1; i++) {
            if (good[i] == '\n') {
                lastLine = i + 1;
            }
        }
        for (int cut = lastLine + 1; cut < good.length; cut++) {
            Files.write(file(), Arrays.copyOf(good, cut));
            assertThatThrownBy(() -> Journal.read(review)).hasMessageContaining("no end");
            Journal.open(review, CLOCK).close();
            List<Journal.Entry> entries = Journal.read(review);
            assertThat(entries).hasSize(3);
            assertThat(entries.getLast().event()).isEqualTo(new Event.Recovered(cut - lastLine));
        }
    }

    @Test
    void oneProcessAtATime() {
        try (Journal first = Journal.open(review, CLOCK)) {
            assertThat(first.entries()).isEmpty();
            assertThatThrownBy(() -> Journal.open(review, CLOCK))
                    .hasMessageContaining("another assay process");
        }
        Journal.open(review, CLOCK).close();
    }
}
