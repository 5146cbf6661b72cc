package dev.assay.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Memory of a server's processes from Linux' {@code /proc} (proc(5): stat, status). */
final class ProcTree {
    private static final Path PROC = Path.of("/proc");

    private ProcTree() {}

    private record Entry(long pid, long parent, long session) {}

    /**
     * Sum of VmRSS over the descendants of the supervisor that have a session of their own, and over all of those
     * sessions; so the supervisor's own shells do not count.
     */
    static OptionalLong residentBytes(long supervisor) {
        if (!ServerProcess.hasProc()) {
            return OptionalLong.empty();
        }
        List<Entry> all = entries();
        long own = all.stream().filter(e -> e.pid() == supervisor).mapToLong(Entry::session).findFirst()
                .orElse(-1);
        Set<Long> tree = new HashSet<>(Set.of(supervisor));
        Set<Long> sessions = new HashSet<>();
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
        long kib = 0;
        boolean found = false;
        for (Entry e : all) {
            if (tree.contains(e.pid()) && e.session() != own) {
                kib += residentKib(e.pid());
                found = true;
            }
        }
        return found ? OptionalLong.of(kib * 1024) : OptionalLong.empty();
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
            all.add(new Entry(Long.parseLong(pid.getFileName().toString()), Long.parseLong(fields[1]),
                    Long.parseLong(fields[3])));
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
