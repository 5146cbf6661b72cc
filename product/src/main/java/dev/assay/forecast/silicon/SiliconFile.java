package dev.assay.forecast.silicon;

import dev.assay.AssayException;
import dev.assay.forecast.Hardware;
import dev.assay.forecast.HardwareTable;
import dev.assay.model.KnownModels;
import dev.assay.workload.Columns;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A CSV file of measured rows with the columns of AIConfigurator's silicon data. A malformed row is a fault that names line,
 * field and bound; a well-formed row of a model, hardware or format that is not known is refused with its reason.
 *
 * @param name of the file
 * @param count data rows, refused ones included
 * @param rows that can be computed
 * @param refusals of the others, by reason
 */
public record SiliconFile(String name, int count, List<MeasuredRow> rows, List<Refusal> refusals) {
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_TOKENS = 10_000_000;
    private static final int MOST_BATCH = 1_000_000;
    private static final int MOST_PARALLEL = 1024;

    public SiliconFile {
        rows = List.copyOf(rows);
        refusals = List.copyOf(refusals);
    }

    /** Reads a file. */
    public static SiliconFile read(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            if (Files.isDirectory(file) || Files.size(file) > MOST_BYTES) {
                throw AssayException.misuse(file + ": expected a CSV file of at most " + (MOST_BYTES >> 20)
                        + " MiB");
            }
            return parse(name, Files.readString(file).lines().toList());
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(file + ": no such file");
        } catch (MalformedInputException e) {
            throw AssayException.misuse(file + ": expected text in UTF-8, found other bytes");
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Reads the lines of a file. */
    static SiliconFile parse(String name, List<String> lines) {
        if (lines.isEmpty() || lines.getFirst().isBlank()) {
            throw AssayException.misuse(name + ": the file is empty; expected a header and rows");
        }
        Columns columns = Columns.of(lines.getFirst(), name + " line 1");
        for (String needed : List.of("backend", "model_path", "system", "precision", "isl", "osl",
                "batch_size", "tp_size", "silicon_ttft_ms", "silicon_tpot_ms")) {
            if (!columns.has(needed)) {
                throw AssayException.misuse(name + " line 1: column '" + needed + "' is missing");
            }
        }
        List<MeasuredRow> rows = new ArrayList<>();
        Map<String, Refusal> refusals = new LinkedHashMap<>();
        int count = 0;
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                count++;
                new RowReader(columns, columns.read(lines.get(i), name + " line " + (i + 1)),
                        name + " line " + (i + 1), i + 1).read(refusals).ifPresent(rows::add);
            }
        }
        if (count == 0) {
            throw AssayException.misuse(name + ": 0 rows after the header; expected at least 1");
        }
        return new SiliconFile(name, count, rows, List.copyOf(refusals.values()));
    }

    /** Reads one line. */
    private record RowReader(Columns columns, List<String> cells, String place, int line) {
        Optional<MeasuredRow> read(Map<String, Refusal> refusals) {
            int input = whole("isl", 1, MOST_TOKENS);
            int output = whole("osl", 2, MOST_TOKENS);
            int batch = whole("batch_size", 1, MOST_BATCH);
            int parallel = whole("tp_size", 1, MOST_PARALLEL);
            double ttft = columns.number(cells, "silicon_ttft_ms", place) / 1e3;
            double tpot = columns.number(cells, "silicon_tpot_ms", place) / 1e3;
            Optional<KnownModels.KnownModel> model = KnownModels.find(text("model_path"));
            Optional<Hardware> hardware = HardwareTable.find(text("system"));
            Optional<Format> format = format();
            String path = text("model_path");
            if (model.isEmpty()) {
                return refused(refusals, "model '" + path + "'", "its shape is not in the table");
            }
            if (hardware.isEmpty()) {
                return refused(refusals, "system '" + text("system") + "'",
                        "it is not in the hardware table");
            }
            if (format.isEmpty()) {
                return refused(refusals, "precision '" + text("precision") + "'",
                        "expected bf16, fp8, fp4 or nothing for what the model's name says");
            }
            Deployment deployment;
            try {
                deployment = new Deployment(path.replaceAll(".*/", ""), model.orElseThrow().shape(),
                        hardware.orElseThrow(), text("backend").toLowerCase(Locale.ROOT),
                        format.orElseThrow(), input, output, batch, parallel);
            } catch (IllegalArgumentException e) {
                return refused(refusals, path + " on " + parallel + " " + text("system"),
                        String.valueOf(e.getMessage()));
            }
            try {
                return Optional.of(new MeasuredRow(line,
                        columns.has("backend_version") ? text("backend_version") : "", path, deployment, ttft,
                        tpot));
            } catch (IllegalArgumentException e) {
                throw AssayException.misuse(place + ": " + e.getMessage());
            }
        }

        private Optional<MeasuredRow> refused(Map<String, Refusal> refusals, String what, String reason) {
            refusals.merge(what + reason, new Refusal(what, 1, line, reason),
                    (a, b) -> new Refusal(what, a.rows() + 1, a.firstLine(), reason));
            return Optional.empty();
        }

        /** The column's, else that of the matrix kernels, else what the model's name says. */
        private Optional<Format> format() {
            String kernels = columns.has("gemm_quant_mode") ? text("gemm_quant_mode") : "";
            String stated = text("precision").isEmpty() ? kernels : text("precision");
            return stated.isEmpty() ? Optional.of(Format.ofPath(text("model_path"))) : Format.named(stated);
        }

        private String text(String name) {
            return columns.text(cells, name, place).strip();
        }

        private int whole(String name, int least, int most) {
            double value = columns.number(cells, name, place);
            if (value != Math.rint(value) || value < least || value > most) {
                throw AssayException.misuse(place + ": field '" + name + "' is " + text(name)
                        + "; expected a whole number from " + least + " to " + most);
            }
            return (int) value;
        }
    }
}
