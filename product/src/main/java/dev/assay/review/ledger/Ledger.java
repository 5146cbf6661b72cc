package dev.assay.review.ledger;

import dev.assay.AssayException;
import dev.assay.forecast.WidthCorrection;
import dev.assay.review.Proposal.ChangeKind;
import dev.assay.review.ReviewFiles;
import dev.assay.stats.RatioForecast;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The sealed forecasts of many reviews beside what was measured.
 *
 * @param reviews those that are scored
 * @param leftOut those that are not, each with its reason
 */
public record Ledger(List<Reading.Scored> reviews, List<Reading.LeftOut> leftOut) {
    /** So deep below a given directory reviews are looked for. */
    public static final int DEPTH = 5;

    public Ledger {
        reviews = List.copyOf(reviews);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * The ledger of reviews and of directories that are searched for some.
     *
     * @param depth how far below a directory; 1 for what lies directly in it
     */
    public static Ledger read(List<Path> directories, int depth) {
        TreeSet<Path> found = new TreeSet<>();
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                throw AssayException
                        .misuse(directory + ": expected a review or a directory that holds reviews");
            }
            search(directory, depth).forEach(review -> found.add(plain(review)));
        }
        Map<String, Reading.Scored> known = new LinkedHashMap<>();
        List<Reading.LeftOut> leftOut = new ArrayList<>();
        for (Path review : found) {
            switch (ReviewReader.read(review)) {
                case Reading.LeftOut out -> leftOut.add(out);
                case Reading.Scored scored -> {
                    Reading.Scored first = known.putIfAbsent(scored.id() + " " + scored.seal(), scored);
                    if (first != null) {
                        leftOut.add(Reading.LeftOut.of(scored.directory(), "a copy of " + first.directory()));
                    }
                }
            }
        }
        return new Ledger(List.copyOf(known.values()), leftOut);
    }

    /** The part that was decided before a moment: all that a forecast of that moment may rest on. */
    public Ledger decidedBefore(Instant moment) {
        return new Ledger(
                reviews.stream().filter(
                        r -> r.decidedAt().filter(at -> Instant.parse(at).isBefore(moment)).isPresent())
                        .toList(),
                leftOut);
    }

    /** The correction for the next forecast of a kind of change; empty where too little is known. */
    public Optional<WidthCorrection> correction(ChangeKind change) {
        List<Reading.Scored> ofKind = reviews.stream().filter(r -> r.change() == change).toList();
        List<RatioForecast> past = ofKind.stream().flatMap(r -> r.forecasts().stream())
                .map(ScoredForecast::unwidened).toList();
        return WidthCorrection.of(past, ofKind.stream().map(Reading.Scored::seal).toList());
    }

    /** Without a leading {@code ./}. */
    private static Path plain(Path path) {
        Path plain = path.normalize();
        return plain.toString().isEmpty() ? path : plain;
    }

    private static List<Path> search(Path start, int depth) {
        if (isReview(start)) {
            return List.of(start);
        }
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(start, EnumSet.noneOf(FileVisitOption.class), depth + 1,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(Path directory,
                                BasicFileAttributes attributes) {
                            if (!directory.equals(start)
                                    && directory.getFileName().toString().startsWith(".")) {
                                return FileVisitResult.SKIP_SUBTREE;
                            }
                            if (isReview(directory)) {
                                found.add(directory);
                                return FileVisitResult.SKIP_SUBTREE;
                            }
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException e) {
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw AssayException.environment(start + ": cannot be searched: " + e.getMessage(), e);
        }
        return found;
    }

    private static boolean isReview(Path directory) {
        return Files.isRegularFile(directory.resolve(ReviewFiles.PROPOSAL));
    }
}
