package dev.assay.forecast.engines;

import dev.assay.AssayException;
import dev.assay.forecast.arith.Parallelism;
import dev.assay.forecast.arith.QuantFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One arm's engine as its command line resolves.
 *
 * @param engine vllm, sglang or llama.cpp
 * @param model the model that the command names
 * @param weights format that the command or the model's name tells of
 * @param kv format of keys and values, absent for that of the activations
 * @param maxNumSeqs most sequences at once
 * @param tokenBudget most tokens in one step
 * @param pageSize tokens of a KV page; 1 where the cache has no pages
 * @param memoryShare share of the device's memory that the engine takes
 * @param kvTokens size of the cache where the command fixes it
 * @param longest longest sequence where the command fixes it
 * @param parallel how it is spread
 * @param prefixCaching whether prompts share cached prefixes
 * @param mixed whether prompts are computed in the same steps as decode rows
 * @param windowed whether layers with windows keep only these
 * @param speculativeTokens drafted in a step, 0 for none
 * @param defaults values that the command leaves to the engine
 * @param blind options that the forecast does not see
 */
public record ArmSettings(String engine, Optional<String> model, Optional<QuantFormat> weights,
        Optional<QuantFormat> kv, int maxNumSeqs, int tokenBudget, int pageSize, double memoryShare,
        OptionalInt kvTokens, OptionalInt longest, Parallelism parallel, boolean prefixCaching, boolean mixed,
        boolean windowed, int speculativeTokens, List<String> defaults, List<String> blind) {
    public ArmSettings {
        defaults = List.copyOf(defaults);
        blind = List.copyOf(blind);
    }

    /** The settings of a command line; {@code memoryBytes} of the device decides some defaults. */
    public static ArmSettings of(String command, double memoryBytes) {
        List<String> words = new ArrayList<>(Words.of(command));
        while (!words.isEmpty() && words.getFirst().matches("[A-Za-z_][A-Za-z0-9_]*=.*|env|exec")) {
            words.removeFirst();
        }
        String joined = String.join(" ", words);
        String program = words.isEmpty() ? "" : words.getFirst().replaceAll(".*/", "");
        if (program.equals("vllm") && words.size() > 1 && words.get(1).equals("serve")) {
            return Vllm.settings(words.subList(2, words.size()), memoryBytes);
        }
        int module = words.indexOf("-m");
        if (program.matches("python[0-9.]*") && module > 0 && module + 1 < words.size()) {
            List<String> rest = words.subList(module + 2, words.size());
            if (words.get(module + 1).equals("vllm.entrypoints.openai.api_server")) {
                return Vllm.settings(rest, memoryBytes);
            }
            if (words.get(module + 1).equals("sglang.launch_server")) {
                return Sglang.settings(rest, memoryBytes);
            }
        }
        if (program.equals("sglang") && words.size() > 1 && words.get(1).equals("serve")) {
            return Sglang.settings(words.subList(2, words.size()), memoryBytes);
        }
        if (program.equals("llama-server") || program.equals("llama-server.exe")) {
            return LlamaCpp.settings(words.subList(1, words.size()));
        }
        throw AssayException.misuse("command '" + Words.shortened(joined)
                + "' is of no engine that is known; expected vllm serve ..., python -m sglang.launch_server ..."
                + " or llama-server ...");
    }

    /** Names of the blind options in which two arms differ. */
    public static List<String> blindDifferences(ArmSettings a, ArmSettings b) {
        Map<String, String> first = byName(a.blind);
        Map<String, String> second = byName(b.blind);
        TreeSet<String> names = new TreeSet<>(first.keySet());
        names.addAll(second.keySet());
        names.removeIf(n -> first.getOrDefault(n, "").equals(second.getOrDefault(n, ""))
                && first.containsKey(n) == second.containsKey(n));
        return List.copyOf(names);
    }

    private static Map<String, String> byName(List<String> options) {
        Map<String, String> map = new TreeMap<>();
        options.forEach(o -> map.merge(o.replaceFirst("=.*", ""), o, (x, y) -> x + " " + y));
        return map;
    }
}
