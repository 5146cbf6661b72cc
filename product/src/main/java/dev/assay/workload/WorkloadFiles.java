package dev.assay.workload;

import dev.assay.json.Json;
import dev.assay.workload.WorkloadSpec.Content;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Tells workload files and the trace formats apart by their content. */
final class WorkloadFiles {
    private WorkloadFiles() {}

    static WorkloadSpec read(String name, Path path) {
        if (isYaml(path)) {
            return workloadFile(path);
        }
        if (Files.isDirectory(path)) {
            return WorkloadSpec.of(name, new Content.Clients(ServeGen.read(path)));
        }
        String first = firstLine(path);
        if (first.startsWith("[")) {
            return WorkloadSpec.of(name, new Content.Chats(ShareGpt.read(path)));
        }
        if (ServeGen.begins(first)) {
            return WorkloadSpec.of(name, new Content.Clients(ServeGen.read(path)));
        }
        if (first.startsWith("{") && !first.contains("\"timestamp\"")
                && path.toString().toLowerCase(Locale.ROOT).endsWith(".json")) {
            return workloadFile(path);
        }
        return WorkloadSpec.of(name, new Content.Traced(Trace.read(path)));
    }

    private static boolean isYaml(Path path) {
        String lower = path.toString().toLowerCase(Locale.ROOT);
        return lower.endsWith(".yaml") || lower.endsWith(".yml");
    }

    private static WorkloadSpec workloadFile(Path path) {
        return Json.readFile(path, WorkloadFile.class).spec(path);
    }

    private static String firstLine(Path path) {
        try (BufferedReader in = Files.newBufferedReader(path)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isBlank()) {
                    return line.strip();
                }
            }
            return "";
        } catch (IOException e) {
            throw RawTrace.fault(path, e, RawTrace.WORKLOAD);
        }
    }
}
