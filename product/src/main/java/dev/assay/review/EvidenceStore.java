package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directory {@code evidence/} of a review: immutable files named by the start of their SHA-256.
 *
 * <p>A file appears under its name only when all of it is on the disk: it is written beside, synced and renamed.
 */
public final class EvidenceStore {
    /** The directory's name within a review. */
    public static final String DIRECTORY = "evidence";
    private static final String PARTIAL = ".partial";
    private static final int NAME_DIGITS = 16;

    private final Path directory;

    public EvidenceStore(Path review) {
        this.directory = review.resolve(DIRECTORY);
    }

    /** A name for a file that is still being written; {@link #adopt} gives it its final one. */
    public Path scratch(String name) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw AssayException.environment(directory + ": cannot be created: " + e.getMessage(), e);
        }
        return directory.resolve(name + PARTIAL);
    }

    /** Stores bytes. */
    public EvidenceRef put(String kind, String extension, byte[] bytes) {
        Path partial = scratch(kind);
        try {
            Files.write(partial, bytes);
        } catch (IOException e) {
            throw AssayException.environment(partial + ": cannot be written: " + e.getMessage(), e);
        }
        return adopt(kind, extension, partial);
    }

    /** Moves a finished file into the store. */
    public EvidenceRef adopt(String kind, String extension, Path file) {
        try {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            byte[] bytes = Files.readAllBytes(file);
            String sha256 = Json.sha256(bytes);
            String name = sha256.substring(0, NAME_DIGITS) + "-" + kind + "." + extension;
            Files.move(file, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            syncDirectory();
            return new EvidenceRef(kind, name, sha256, bytes.length);
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot become evidence: " + e.getMessage(), e);
        }
    }

    private void syncDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Where a piece of evidence lies. */
    public Path path(EvidenceRef ref) {
        return directory.resolve(ref.file());
    }

    /** Reads a piece of evidence whole, checked against its hash. */
    public byte[] read(EvidenceRef ref) {
        Path file = path(ref);
        if (!Files.isRegularFile(file)) {
            throw AssayException.evidence(DIRECTORY + "/" + ref.file() + ": is missing");
        }
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
        String sha256 = Json.sha256(bytes);
        if (!sha256.equals(ref.sha256())) {
            throw AssayException
                    .evidence(DIRECTORY + "/" + ref.file() + ": SHA-256 is " + sha256.substring(0, 12)
                            + "…; the journal says " + ref.sha256().substring(0, 12) + "…");
        }
        return bytes;
    }

    /** Files that no reference names: what a crash left behind, or what somebody added. */
    public List<Path> unreferenced(Collection<EvidenceRef> known) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        Set<String> names = known.stream().map(EvidenceRef::file).collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> !names.contains(f.getFileName().toString())).sorted().toList();
        } catch (IOException e) {
            throw AssayException.environment(directory + ": cannot be listed: " + e.getMessage(), e);
        }
    }
}
