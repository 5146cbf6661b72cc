package dev.assay.review;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** Begins a review: its directory, its proposal and the journal's first event. */
public final class Starting {
    private Starting() {}

    /**
     * Makes the directory.
     *
     * @param yaml the proposal's text
     * @param id drawn by the caller, unique
     * @param machine what it is created on, by name
     */
    public static ReviewFiles create(Path directory, String yaml, String title, String id,
            Map<String, String> machine,
            InstantSource clock) {
        if (Files.exists(directory.resolve(ReviewFiles.PROPOSAL))
                || Files.exists(directory.resolve(Journal.FILE))) {
            throw AssayException.misuse(directory + ": there is a review already; expected a new directory");
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw AssayException.environment(directory + ": cannot be created: " + e.getMessage(), e);
        }
        ReviewFiles files = new ReviewFiles(directory);
        files.write(ReviewFiles.PROPOSAL, yaml);
        try (Journal journal = Journal.open(directory, clock)) {
            journal.append(new Event.Created(id, title, machine));
        }
        return files;
    }
}
