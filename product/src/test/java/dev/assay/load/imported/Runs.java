package dev.assay.load.imported;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Where the tests find result files, and short ways to the numbers in them. */
final class Runs {
    private Runs() {}

    /** A made-up file of the format, beside this class in the resources. */
    static Path fixture(String name) {
        try {
            URL url = Objects.requireNonNull(Runs.class.getResource(name), name);
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A real result in {@code shared/data/results} of a directory above; empty where there is none. */
    static Optional<Path> real(String name) {
        for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
            Path file = up.resolve("shared/data/results").resolve(name);
            if (Files.exists(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    static ImportedRun only(Path file) {
        List<ImportedRun> runs = Importer.read(file);
        if (runs.size() != 1) {
            throw new AssertionError(file + " holds " + runs.size() + " runs");
        }
        return runs.getFirst();
    }

    static double mean(ImportedRun run, Formula formula) {
        return run.value(new Measure.Key(formula, Statistic.MEAN, QuantileRule.NONE)).orElseThrow();
    }

    static double p(ImportedRun run, Formula formula, double percent, QuantileRule rule) {
        return run.value(new Measure.Key(formula, Statistic.p(percent), rule)).orElseThrow();
    }

    static double whole(ImportedRun run, Formula formula) {
        return run.value(new Measure.Key(formula, Statistic.WHOLE, QuantileRule.NONE)).orElseThrow();
    }

    static boolean has(ImportedRun run, Formula formula) {
        return run.measures().stream().anyMatch(m -> m.key().formula() == formula);
    }
}
