package dev.assay.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** A server's processes and their memory from Linux' {@code /proc} (proc(5): stat, status, environ). */
final class ProcTree {
    private static final Path PROC = Path.of("/proc");

    private ProcTree() {}

    private record Entry(long pid, boolean dead, long parent, long session, long started) {}

    /**
     * Sum of VmRSS over the descendants of the supervisor that have a session of their own, and over all of those
     * sessions; so the supervisor's own shells do not count.
     */
    static OptionalLong residentBytes(long supervisor) {
        List<Long> members = members(supervisor, Set.of());
        return members.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(members.stream().mapToLong(ProcTree::residentKib).sum() * 1024);
    }

    /**
     * The living processes below the supervisor that have a session of their own, and all of those sessions and of the
     * given ones.
     */
    static List<Long> members(long supervisor, Set<Long> known) {
        List<Long> members = new ArrayList<>();
        for (Entry e : tree(supervisor, known)) {
            if (!e.dead()) {
                members.add(e.pid());
            }
        }
        return members;
    }

    /** Their sessions. */
    static Set<Long> sessions(long supervisor) {
        Set<Long> sessions = new HashSet<>();
        tree(supervisor, Set.of()).forEach(e -> sessions.add(e.session()));
        return sessions;
    }

    private static List<Entry> tree(long supervisor, Set<Long> known) {
        List<Entry> all = entries();
        long own = all.stream().filter(e -> e.pid() == supervisor).mapToLong(Entry::session).findFirst()
                .orElse(supervisor);
        Set<Long> tree = new HashSet<>(Set.of(supervisor));
        Set<Long> sessions = new HashSet<>(known);
        sessions.remove(own);
        int before = -1;
        while (tree.size() != before) {
            before = tree.size();
            for (Entry e : all) {
                if (tree.contains(e.parent()) || sessions.contains(e.session())) {
                    tree.add(e.pid());
                    if (e.session() != own) {
                        sessions.add(e.session());
                    }
                }
            }
        }
        return all.stream().filter(e -> tree.contains(e.pid()) && e.session() != own).toList();
    }

    /** The living processes whose environment, as they were started with it, holds the text. */
    static List<Long> marked(String text) {
        return entries().stream().filter(e -> !e.dead() && environment(e.pid()).contains(text))
                .map(Entry::pid).toList();
    }

    private static String environment(long pid) {
        try {
            return Files.readString(PROC.resolve(pid + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException | RuntimeException e) {
            // Another user's, or it has just ended.
            return "";
        }
    }

    /** When a process began, in the kernel's ticks since the machine's start; empty where it is not there. */
    static OptionalLong started(long pid) {
        return entries().stream().filter(e -> e.pid() == pid).mapToLong(Entry::started).findFirst();
    }

    private static List<Entry> entries() {
        List<Entry> all = new ArrayList<>();
        try (DirectoryStream<Path> pids = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path pid : pids) {
                entry(pid, all);
            }
        } catch (IOException e) {
            return List.of();
        }
        return all;
    }

    private static void entry(Path pid, List<Entry> all) {
        try {
            String stat = Files.readString(pid.resolve("stat"));
            // The name in parentheses may itself hold spaces and parentheses.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            all.add(new Entry(Long.parseLong(pid.getFileName().toString()),
                    fields[0].equals("Z") || fields[0].equals("X"), Long.parseLong(fields[1]),
                    Long.parseLong(fields[3]), Long.parseLong(fields[19])));
        } catch (IOException | RuntimeException e) {
            // It ended between the listing and the reading.
            return;
        }
    }

    private static long residentKib(long pid) {
        try {
            for (String line : Files.readAllLines(PROC.resolve(pid + "/status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return 0;
    }
}
