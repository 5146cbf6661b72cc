package dev.assay.cli;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A temporary file, such as the log of a server that nobody is to read afterwards; it is gone when this is closed. */
record PassingFile(Path path) implements AutoCloseable {
    /** A new one whose name begins so. */
    static PassingFile log(String prefix) {
        try {
            return new PassingFile(Files.createTempFile(prefix, ".log"));
        } catch (IOException e) {
            throw AssayException.environment("no temporary file: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw AssayException.environment(path + ": not deleted: " + e.getMessage(), e);
        }
    }
}
