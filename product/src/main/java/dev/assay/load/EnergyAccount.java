package dev.assay.load;

import java.util.List;
import java.util.Map;

/** Energy as telemetry: by kind, and the one figure that {@code joules_per_output_token} is from. */
final class EnergyAccount {
    private static final String TOTAL = "energy_joules";
    private static final String PER_TOKEN = "joules_per_output_token";

    private EnergyAccount() {}

    /**
     * Adds {@code gpu_energy_joules} and {@code cpu_energy_joules}, {@code energy_joules} (the GPUs' where they were
     * metered, else the processors') and, over the server's own count of generated tokens,
     * {@code joules_per_output_token}.
     */
    static void add(List<EnergyRecord> records, Map<String, Double> values, Map<String, String> sources,
            Map<String, String> absent) {
        for (EnergyRecord record : records) {
            String name = record.kind() == EnergyRecord.Kind.GPU ? "gpu_energy_joules" : "cpu_energy_joules";
            record.absent().ifPresent(reason -> absent.put(name, reason));
            record.joules().ifPresent(joules -> {
                values.merge(name, joules, Double::sum);
                sources.merge(name, record.source(), (a, b) -> a + "; " + b);
            });
        }
        boolean metered = records.stream().anyMatch(r -> r.kind() == EnergyRecord.Kind.GPU);
        String chosen = metered ? "gpu_energy_joules" : "cpu_energy_joules";
        Double joules = values.get(chosen);
        if (joules == null || absent.containsKey(chosen)) {
            String reason = absent.getOrDefault(chosen, "no meter");
            absent.put(TOTAL, reason);
            absent.put(PER_TOKEN, reason);
            return;
        }
        values.put(TOTAL, joules);
        sources.put(TOTAL, sources.getOrDefault(chosen, chosen));
        Double tokens = values.get("generation_tokens");
        if (tokens == null || tokens <= 0) {
            absent.put(PER_TOKEN, "the server does not count the tokens that it generated");
        } else {
            values.put(PER_TOKEN, joules / tokens);
            sources.put(PER_TOKEN, sources.get(TOTAL) + " / " + sources.get("generation_tokens"));
        }
    }
}
