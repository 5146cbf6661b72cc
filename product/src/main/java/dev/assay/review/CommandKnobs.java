package dev.assay.review;

import dev.assay.forecast.Blindness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The settings that the forecast is known to ignore and in which the arms' commands or environments differ, so that a
 * change hidden in a command is not forecast as none.
 */
final class CommandKnobs {
    /** Other names of ignored settings. */
    private static final Map<String, String> ALIASES = Map.of("t", "threads", "threads_batch", "threads", "c",
            "max_model_len", "ctx_size", "max_model_len", "ub", "ubatch_size", "context_length",
            "max_model_len", "mem_fraction_static", "gpu_memory_utilization", "pp", "pipeline_parallel_size",
            "dp", "data_parallel_size");
    private static final String THREADS = "num_threads";

    private CommandKnobs() {}

    /** Their names as {@link Blindness#IGNORED} has them, in order. */
    static List<String> differing(Proposal.Arms arms) {
        Map<String, String> before = options(arms.baseline());
        Map<String, String> after = options(arms.candidate());
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeIf(n -> Objects.equals(before.get(n), after.get(n)) || !Blindness.IGNORED.contains(n));
        return new ArrayList<>(names);
    }

    private static Map<String, String> options(Proposal.ArmSpec arm) {
        Map<String, String> options = new LinkedHashMap<>();
        arm.env().orElse(Map.of()).forEach((name, value) -> {
            if (name.toLowerCase(Locale.ROOT).endsWith(THREADS)) {
                options.put("threads", value);
            }
        });
        String[] words = arm.command().orElse("").strip().split("\\s+");
        for (int i = 0; i < words.length; i++) {
            if (words[i].startsWith("-")) {
                String[] sides = words[i].split("=", 2);
                String value = sides.length == 2
                        ? sides[1]
                        : i + 1 < words.length && !words[i + 1].startsWith("-") ? words[i + 1] : "";
                options.put(name(sides[0]), value);
            }
        }
        return options;
    }

    private static String name(String option) {
        String plain = option.replaceFirst("^-+", "").replace('-', '_');
        return Optional.ofNullable(ALIASES.get(plain)).orElse(plain);
    }
}
