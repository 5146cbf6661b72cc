package dev.assay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Opens a file in the user's browser where there is a desktop and somebody at a terminal. */
final class Desktop {
    private Desktop() {}

    static void open(Path file) {
        Map<String, String> env = System.getenv();
        boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
        boolean desktop = mac || env.containsKey("DISPLAY") || env.containsKey("WAYLAND_DISPLAY");
        if (desktop && Terminal.interactive()) {
            try {
                new ProcessBuilder(mac ? "open" : "xdg-open", file.toAbsolutePath().toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
            } catch (IOException e) {
                // The path was printed; without a program that opens it there is nothing to add.
                return;
            }
        }
    }
}
