package dev.assay.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What this machine is, for a record: processor, cores, operating system, Java. No name or address of it. */
final class Machine {
    private Machine() {}

    static Map<String, String> describe() {
        Map<String, String> machine = new TreeMap<>();
        machine.put("cpu", cpu());
        machine.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch"));
        machine.put("assay", String.join("", new Main.Version().getVersion()).replace("assay ", ""));
        machine.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        return machine;
    }

    private static String cpu() {
        Path file = Path.of("/proc/cpuinfo");
        try (var lines = Files.lines(file)) {
            return lines.filter(l -> l.startsWith("model name"))
                    .map(l -> l.substring(l.indexOf(':') + 1).strip())
                    .findFirst().orElse("unknown");
        } catch (IOException | java.io.UncheckedIOException e) {
            return "unknown";
        }
    }
}
