package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.review.Journal;
import dev.assay.review.ReviewFiles;
import dev.assay.review.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * The ids of the reviews that were made or trusted on this machine, one a line, in the user's state directory
 * ({@code XDG_STATE_HOME}, else {@code ~/.local/state}).
 */
final class TrustStore {
    private TrustStore() {}

    private static Path file() {
        Map<String, String> env = System.getenv();
        String state = env.getOrDefault("XDG_STATE_HOME", "");
        Path base = state.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(state);
        return base.resolve("assay").resolve("trusted-reviews");
    }

    private static String id(ReviewFiles files) {
        return State.of(Journal.read(files.directory())).created()
                .orElseThrow(() -> AssayException
                        .evidence(files.directory() + ": the journal does not begin with the"
                                + " review's creation; 'assay new' makes a review"))
                .id();
    }

    static boolean knows(ReviewFiles files) {
        try {
            return Files.exists(file()) && Files.readAllLines(file()).contains(id(files));
        } catch (IOException e) {
            return false;
        }
    }

    static void remember(ReviewFiles files) {
        try {
            Files.createDirectories(file().getParent());
            Files.writeString(file(), id(files) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw AssayException.environment(file() + ": cannot be written: " + e.getMessage(), e);
        }
    }
}
