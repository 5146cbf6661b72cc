package dev.assay.forecast.silicon;

import java.util.Locale;

/**
 * One measured row.
 *
 * @param line of the file
 * @param version of the engine, empty where it is not stated
 * @param path of the model as the file writes it
 * @param deployment what was measured
 * @param ttftSeconds mean time to first token
 * @param tpotSeconds mean time per output token after the first
 */
public record MeasuredRow(int line, String version, String path, Deployment deployment, double ttftSeconds,
        double tpotSeconds) {
    private static final double MOST_SECONDS = 1e6;

    public MeasuredRow {
        within("silicon_ttft_ms", ttftSeconds);
        within("silicon_tpot_ms", tpotSeconds);
    }

    private static void within(String name, double seconds) {
        if (!(seconds > 0) || seconds > MOST_SECONDS) {
            throw new IllegalArgumentException(String.format(Locale.ROOT,
                    "field '%s' is %s; expected more than 0, at most %.0e", name, seconds * 1e3,
                    MOST_SECONDS * 1e3));
        }
    }

    /** What calibration shares: the model's path, the hardware, the engine and the format. */
    public String group() {
        return deployment.group();
    }

    /** Rows that differ in concurrency, parallelism or repeat alone; a family never stands on both sides of a split. */
    public String family() {
        return group() + " " + version + " " + deployment.inputTokens() + "x" + deployment.outputTokens();
    }

    /** Seconds from a request's arrival to its last token. */
    double requestSeconds() {
        return ttftSeconds + (deployment.outputTokens() - 1) * tpotSeconds;
    }
}
