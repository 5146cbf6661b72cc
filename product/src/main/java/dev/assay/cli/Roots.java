package dev.assay.cli;

import dev.assay.review.ReviewFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the files that a proposal names are looked for: here, beside the proposal, where Assay is installed. */
final class Roots {
    private Roots() {}

    static List<Path> of(ReviewFiles files) {
        List<Path> roots = new ArrayList<>(
                List.of(Path.of("").toAbsolutePath(), files.directory().toAbsolutePath()));
        String home = System.getProperty("assay.home", "");
        if (!home.isEmpty()) {
            roots.add(Path.of(home));
        }
        return List.copyOf(roots);
    }
}
