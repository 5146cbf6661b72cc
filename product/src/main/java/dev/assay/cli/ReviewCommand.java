package dev.assay.cli;

import dev.assay.json.Json;
import dev.assay.review.Progress;
import dev.assay.review.ReviewFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What every command on a review shares: the directory, {@code --json}, and where it prints. */
@Command(mixinStandardHelpOptions = true, usageHelpAutoWidth = true)
abstract class ReviewCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The review's directory.")
    Path directory = Path.of(".");

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    boolean json;

    @Spec
    CommandSpec spec = CommandSpec.create();

    ReviewFiles files() {
        return ReviewFiles.of(directory);
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Progress on a terminal, else silence; never on stdout. */
    Progress progress() {
        return ProgressLine.on(err());
    }

    /** Prints a sentence in lines that fit a terminal; each after the first begins with {@code indent}. */
    void say(String indent, String text) {
        Wrapped.lines(indent, text).forEach(out()::println);
    }

    void printJson(Object document) {
        out().print(Json.pretty(document));
        out().flush();
    }
}
