package dev.assay.load;

import dev.assay.AssayException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How a server is started.
 *
 * @param command a shell command line; {@code {port}} in it is replaced by a free port
 * @param environment variables added to Assay's own
 * @param directory where it is run, Assay's own where empty
 * @param logLimitBytes the size past which the file of its output is emptied, its end kept beside it
 */
public record ServerCommand(String command, Map<String, String> environment, Optional<Path> directory,
        long logLimitBytes) {
    private static final String PORT = "{port}";

    public ServerCommand {
        environment = Map.copyOf(environment);
        if (!command.contains(PORT)) {
            throw AssayException
                    .misuse("server command '" + command + "'; expected {port} in it, where the port goes");
        }
        if (directory.isPresent() && !Files.isDirectory(directory.get())) {
            throw AssayException.misuse("server directory " + directory.get() + ": no such directory");
        }
        if (logLimitBytes < 1) {
            throw new IllegalArgumentException("log limit " + logLimitBytes + " bytes; expected at least 1");
        }
    }

    /** The command with the usual limit of its log. */
    public ServerCommand(String command, Map<String, String> environment, Optional<Path> directory) {
        this(command, environment, directory, ServerLog.LIMIT_BYTES);
    }

    /** The command with nothing added to the environment. */
    public static ServerCommand of(String command) {
        return new ServerCommand(command, Map.of(), Optional.empty());
    }

    /** Starts it on a free port with its output in {@code log}. */
    public ServerProcess start(Path log) {
        int port = freePort();
        return ServerProcess.start(this, command.replace(PORT, Integer.toString(port)), port, log);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw AssayException.environment("no free port on this machine: " + e.getMessage(), e);
        }
    }
}
