package dev.assay.cli;

import java.io.Console;
import java.util.Map;
import java.util.Optional;

/** What the terminal can show: its width, and whether colour is welcome (a terminal, and NO_COLOR is unset). */
record Terminal(int width, boolean colour) {
    private static final int DEFAULT_WIDTH = 80;

    /** Whether somebody sits at a terminal. */
    static boolean interactive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    static Terminal detect() {
        Map<String, String> env = System.getenv();
        boolean terminal = interactive();
        int width = DEFAULT_WIDTH;
        String columns = env.getOrDefault("COLUMNS", "");
        if (columns.matches("[1-9][0-9]{1,3}")) {
            width = Integer.parseInt(columns);
        }
        return new Terminal(Math.max(DEFAULT_WIDTH, width),
                terminal && env.getOrDefault("NO_COLOR", "").isEmpty());
    }
}
