package dev.assay.forecast.silicon;

import dev.assay.forecast.HardwareTable;
import dev.assay.model.KnownModels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;

/** Rows that follow a law whose constants are known, with independent logarithmic errors. */
final class Synthetic {
    static final String HEADER = "id,backend,backend_version,model_path,system,precision,isl,osl,gemm_quant_mode,"
            + "batch_size,tp_size,silicon_ttft_ms,silicon_tpot_ms";

    private Synthetic() {}

    static Deployment deployment(String model, String system, String backend, Format format, int input,
            int output, int batch, int parallel) {
        return new Deployment(model, KnownModels.named(model).shape(), HardwareTable.named(system), backend,
                format, input, output, batch, parallel);
    }

    /** Constants off their typical values: shares by 0.9, times by 1.3. */
    static double[] truth() {
        double[] logs = Constant.typicalLogs();
        for (Constant c : Constant.ALL) {
            logs[c.place()] += c.typical() > 1e-3 ? Math.log(0.9) : Math.log(1.3);
        }
        return logs;
    }

    /** Rows of three models in four groups, {@code lengths} families each. */
    static List<MeasuredRow> rows(double error, int lengths, SplittableRandom random) {
        List<MeasuredRow> rows = new ArrayList<>();
        String[][] groups = {{"llama-3.1-8b", "h100_sxm", "vllm", "BF16"},
                {"llama-3.1-70b", "h200_sxm", "vllm", "FP8"}, {"qwen3-32b", "h100_sxm", "trtllm", "FP8"},
                {"qwen3-32b", "b200_sxm", "trtllm", "FP4"}};
        for (String[] g : groups) {
            for (int f = 0; f < lengths; f++) {
                int input = 512 << (f % 4);
                int output = 256 << (f / 2 % 4);
                for (int parallel = 1; parallel <= 8; parallel *= 2) {
                    for (int batch = 4; batch <= 64; batch *= 2) {
                        Deployment d = deployment(g[0], g[1], g[2], Format.valueOf(g[3]), input,
                                output + f, batch, parallel);
                        rows.add(row(rows.size() + 2, d, Math.exp(error * gaussian(random))));
                    }
                }
            }
        }
        return rows;
    }

    private static MeasuredRow row(int line, Deployment d, double factor) {
        double tpot = StepLaw.seconds(d, truth()) * factor;
        return new MeasuredRow(line, "1.0", d.model(), d, 20 * tpot + d.inputTokens() * 1e-4, tpot);
    }

    static double gaussian(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
                * Math.cos(2 * Math.PI * random.nextDouble());
    }

    /** The rows as a file has them. */
    static List<String> csv(List<MeasuredRow> rows) {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (MeasuredRow r : rows) {
            Deployment d = r.deployment();
            String format = d.format() == Format.BF16 ? "" : d.format().name().toLowerCase(Locale.ROOT);
            lines.add(String.format(Locale.ROOT, "row_%d,%s,%s,%s,%s,%s,%d,%d,,%d,%d,%.6f,%.6f", r.line(),
                    d.backend(), r.version(), r.path(), d.hardware().name(), format, d.inputTokens(),
                    d.outputTokens(), d.batch(), d.tensorParallel(), r.ttftSeconds() * 1e3,
                    r.tpotSeconds() * 1e3));
        }
        return lines;
    }

    /** The development half of the measured rows; the test is skipped, saying so, where it is absent. */
    static Path measured() {
        for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
            Path file = up.resolve("shared/data/silicon_dense_dev.csv");
            if (Files.exists(file)) {
                return file;
            }
        }
        Assumptions.abort("skipped: shared/data/silicon_dense_dev.csv is not here");
        return Path.of("");
    }
}
