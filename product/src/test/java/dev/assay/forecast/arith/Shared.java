package dev.assay.forecast.arith;

import dev.assay.workload.Trace;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Public traces beside the checkout. */
final class Shared {
    private Shared() {}

    /** The trace of that file, or the test is skipped. */
    static Trace trace(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path file = at.resolve("shared/data").resolve(name);
            if (Files.exists(file)) {
                return Trace.read(file);
            }
        }
        return Assumptions.abort("skipped: shared/data/" + name + " is not here");
    }
}
