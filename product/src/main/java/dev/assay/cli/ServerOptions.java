package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.load.ServerCommand;
import dev.assay.load.ServerProcess;
import dev.assay.load.Target;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A server that runs ({@code --url}), or one that is started for the run and ended with it ({@code --command}). */
final class ServerOptions {
    private static final double NANOS = 1e9;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Option(names = "--command", paramLabel = "CMD", description = "Start the server by this shell command, {port} in it being a free port, and end it afterwards, instead of --url.")
    private @Nullable String command;

    @Option(names = "--ready-seconds", paramLabel = "S", defaultValue = "120", description = "How long a server of --command may take until it answers (default ${DEFAULT-VALUE}).")
    private double readySeconds = 120;

    /** A fault of the caller where it is not clear which server is meant. */
    void check() {
        if (command == null == target.url().isEmpty()) {
            throw AssayException.misuse(command == null
                    ? "--url is missing; expected http://HOST:PORT or https://HOST:PORT, or --command"
                    : "--url and --command exclude each other; give one of them");
        }
        if (!(readySeconds > 0)) {
            throw AssayException.misuse(
                    "--ready-seconds is " + readySeconds + "; expected seconds, more than 0");
        }
    }

    /** The command that starts the server, where one does. */
    Optional<String> command() {
        return Optional.ofNullable(command);
    }

    /** Starts the server where a command is given, and waits until it answers; its output goes to {@code log}. */
    Served serve(Optional<Path> log) {
        if (command == null) {
            return new Served(target.url().orElseThrow(), Optional.empty(), Optional.empty());
        }
        ServerCommand how = ServerCommand.of(command);
        Optional<PassingFile> passing = log.isPresent()
                ? Optional.empty()
                : Optional.of(PassingFile.log("assay-server"));
        ServerProcess process = how.start(log.or(() -> passing.map(PassingFile::path)).orElseThrow());
        Served served = new Served(process.url(), Optional.of(process), passing);
        try {
            process.awaitReady(Math.round(readySeconds * NANOS));
        } catch (AssayException e) {
            served.close();
            throw e;
        }
        return served;
    }

    /** How to speak to it. */
    Target target(Served served) {
        return target.target(served.url());
    }

    /**
     * A server that answers.
     *
     * @param process where it was started here
     * @param passing the file of its output, where nobody is to keep it
     */
    record Served(URI url, Optional<ServerProcess> process,
            Optional<PassingFile> passing) implements AutoCloseable {

        /** One line on how it ended by itself; empty while it runs, and of a server that was not started here. */
        Optional<String> died() {
            return process.flatMap(ServerProcess::died);
        }

        /** The answer to a question put to it; where it ended meanwhile the fault says that. */
        <T> T ask(Supplier<T> question) {
            try {
                return question.get();
            } catch (AssayException e) {
                throw died().map(AssayException::environment).orElse(e);
            }
        }

        @Override
        public void close() {
            process.ifPresent(ServerProcess::close);
            passing.ifPresent(PassingFile::close);
        }
    }
}
