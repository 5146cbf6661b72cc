package dev.assay.forecast.engines;

import dev.assay.AssayException;
import java.util.ArrayList;
import java.util.List;

/** Splits a command line into words as a shell does, without expanding anything. */
final class Words {
    private Words() {}

    static List<String> of(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else if (c == '\\' && quote == '"' && i + 1 < command.length()
                        && "\"\\$`".indexOf(command.charAt(i + 1)) >= 0) {
                    word.append(command.charAt(++i));
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (c == '\\' && i + 1 < command.length()) {
                char next = command.charAt(++i);
                if (next != '\n') {
                    word.append(next);
                    inWord = true;
                }
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw AssayException.misuse("command '" + shortened(command) + "': expected the quote " + quote
                    + " to be closed");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    static String shortened(String command) {
        String line = command.replaceAll("\\s+", " ").strip();
        return line.length() > 60 ? line.substring(0, 60) + "…" : line;
    }
}
