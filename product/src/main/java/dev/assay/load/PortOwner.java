package dev.assay.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Who listens on a port, from Linux' {@code /proc/net/tcp} and the open files of processes (proc(5)). */
final class PortOwner {
    private static final Path PROC = Path.of("/proc");
    private static final String LISTENING = "0A";

    private PortOwner() {}

    /**
     * A process that listens on the port, was there before the supervisor and is none of its server's; empty where there
     * is none or where it cannot be told. One that began later may be the server's though it is not below it, as the
     * proxies that container runtimes start.
     */
    static Optional<Long> foreign(int port, long supervisor) {
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            sockets.addAll(listening(PROC.resolve(table), port));
        }
        OptionalLong since = ProcTree.started(supervisor);
        if (sockets.isEmpty() || since.isEmpty()) {
            return Optional.empty();
        }
        Optional<Long> foreign = Optional.empty();
        Set<Long> members = new HashSet<>(ProcTree.members(supervisor, Set.of()));
        try (DirectoryStream<Path> pids = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path pid : pids) {
                long number = Long.parseLong(pid.getFileName().toString());
                if (!holds(pid, sockets)) {
                    continue;
                }
                if (members.contains(number)) {
                    return Optional.empty();
                }
                OptionalLong began = ProcTree.started(number);
                if (began.isPresent() && began.getAsLong() < since.getAsLong()) {
                    foreign = Optional.of(number);
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return foreign;
    }

    /** The links that files of listening sockets have. */
    private static Set<String> listening(Path table, int port) {
        Set<String> sockets = new HashSet<>();
        try {
            for (String line : Files.readAllLines(table)) {
                String[] fields = line.strip().split("\\s+");
                if (fields.length > 9 && fields[3].equals(LISTENING)
                        && fields[1].endsWith(String.format(":%04X", port))) {
                    sockets.add("socket:[" + fields[9] + "]");
                }
            }
        } catch (IOException e) {
            // The machine has no such table, as without IPv6.
            return sockets;
        }
        return sockets;
    }

    private static boolean holds(Path pid, Set<String> sockets) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(pid.resolve("fd"))) {
            for (Path file : files) {
                if (sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException e) {
            // Another user's, or it has just ended.
            return false;
        }
        return false;
    }
}
