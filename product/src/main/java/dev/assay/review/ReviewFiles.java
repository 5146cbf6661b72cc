package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The files of a review's directory (DESIGN.md, "A review on disk"). */
public record ReviewFiles(Path directory) {
    /** What the author writes. */
    public static final String PROPOSAL = "review.yaml";
    /** The sealed prediction. */
    public static final String PREDICTION = "prediction.json";
    /** The record as Markdown. */
    public static final String RECORD_MD = "record.md";
    /** The record as one page. */
    public static final String RECORD_HTML = "record.html";

    /** The files of a directory that holds a {@code review.yaml}. */
    public static ReviewFiles of(Path directory) {
        if (!Files.isRegularFile(directory.resolve(PROPOSAL))) {
            throw AssayException.misuse(directory + ": expected a review, a directory with a " + PROPOSAL
                    + " ('assay new " + directory + "' makes one)");
        }
        return new ReviewFiles(directory);
    }

    /** The proposal; faults name file, line, field and what is expected, and load points that are still to be found. */
    public Proposal proposal() {
        JsonValue tree = Json.parseFile(directory.resolve(PROPOSAL));
        LoadWords.asked(tree).ifPresent(at -> {
            throw AssayException.evidence(at + ": load_points is '" + LoadWords.FIND
                    + "'; expected numbers, which 'assay predict " + directory + "' finds and writes there");
        });
        return Json.bind(tree, Proposal.class);
    }

    /** Whether the load points are still to be found. */
    public boolean seeksLoadPoints() {
        return LoadWords.asked(Json.parseFile(directory.resolve(PROPOSAL))).isPresent();
    }

    /** The proposal, where load points are still to be found with multiples of the one sought in their place. */
    public Proposal draft() {
        return draft(directory.resolve(PROPOSAL));
    }

    /** As {@link #draft()}, of any file. */
    public static Proposal draft(Path file) {
        JsonValue tree = Json.parseFile(file);
        return Json.bind(LoadWords.asked(tree).isPresent() ? LoadWords.drafted(tree) : tree, Proposal.class);
    }

    /** The prediction; its text must be exactly what {@link #writePrediction} writes. */
    public Prediction prediction() {
        Path file = directory.resolve(PREDICTION);
        Prediction prediction = Json.readFile(file, Prediction.class);
        try {
            if (!Json.pretty(prediction).equals(Files.readString(file))) {
                throw AssayException.evidence(PREDICTION + ": was changed after it was written");
            }
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
        return prediction;
    }

    /** Whether there is a prediction. */
    public boolean hasPrediction() {
        return Files.exists(directory.resolve(PREDICTION));
    }

    /** Whether a record was written; it is from the first verdict on. */
    public boolean hasRecord() {
        return Files.exists(directory.resolve(RECORD_MD)) || Files.exists(directory.resolve(RECORD_HTML));
    }

    /** Writes the prediction. */
    public void writePrediction(Prediction prediction) {
        write(PREDICTION, Json.pretty(prediction));
    }

    /** The evidence. */
    public EvidenceStore evidence() {
        return new EvidenceStore(directory);
    }

    /** Writes a file whole or not at all: beside, synced, renamed. */
    public void write(String name, String text) {
        Path file = directory.resolve(name);
        Path partial = directory.resolve("." + name + ".partial");
        try {
            Files.writeString(partial, text);
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be written: " + e.getMessage(), e);
        }
    }

    /** Reads a text file, empty where it does not exist. */
    public String read(String name) {
        Path file = directory.resolve(name);
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }
}
