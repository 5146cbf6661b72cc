package dev.assay.review;

import dev.assay.json.Json;
import java.util.Map;

/**
 * What freezes a prediction: SHA-256 digests (hexadecimal) of the canonical form of the proposal, the prediction, the
 * resolved configurations and the workload, and {@code sha256} over these four.
 */
public record Seal(String proposal, String prediction, String configurations, String workload,
        String sha256) {

    /** The seal over four digests. */
    public static Seal of(String proposal, String prediction, String configurations, String workload) {
        return new Seal(proposal, prediction, configurations, workload,
                Json.digest(Map.of("proposal", proposal, "prediction", prediction, "configurations",
                        configurations,
                        "workload", workload)));
    }
}
