package dev.assay.profile;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a step's range tells of its batch.
 *
 * @param name the range's name without what differs from step to step
 * @param prompts sequences whose prompt is computed in it; absent where the name does not tell
 * @param rows sequences that decode
 * @param kvTokens tokens that those attend together
 */
public record StepShape(String name, OptionalInt prompts, OptionalInt rows, OptionalDouble kvTokens) {
    /** vLLM: {@code execute_context_0(0)_generation_32(32)}; later with tokens and lengths within the brackets. */
    private static final Pattern VLLM = Pattern.compile(
            "execute(?:_\\d+)?_context_(\\d+)\\(([^)]*)\\)_generation_(\\d+)\\(([^)]*)\\)");
    /** Query and key tokens of a group, such as {@code sq32sk55086...}. */
    private static final Pattern LENGTHS = Pattern.compile("^sq\\d+sk(\\d+).*");
    /** SGLang: {@code step[DECODE bs=32]}. */
    private static final Pattern SGLANG = Pattern.compile("step\\[(\\w+) bs=(\\d+).*");
    /** PyTorch's profiler with a schedule. */
    private static final Pattern TORCH = Pattern.compile("ProfilerStep#\\d+");

    /** The shape that a range's name tells; empty where it is no step. */
    public static Optional<StepShape> of(String name) {
        Matcher vllm = VLLM.matcher(name);
        if (vllm.matches()) {
            Matcher lengths = LENGTHS.matcher(vllm.group(4));
            return Optional.of(new StepShape("execute", number(vllm.group(1)), number(vllm.group(3)),
                    lengths.matches()
                            ? OptionalDouble.of(Double.parseDouble(lengths.group(1)))
                            : OptionalDouble.empty()));
        }
        Matcher sglang = SGLANG.matcher(name);
        if (sglang.matches()) {
            boolean decode = sglang.group(1).equals("DECODE");
            return Optional.of(new StepShape("step", OptionalInt.of(decode ? 0 : 1), number(sglang.group(2)),
                    OptionalDouble.empty()));
        }
        return TORCH.matcher(name).matches()
                ? Optional.of(new StepShape("ProfilerStep", OptionalInt.empty(), OptionalInt.empty(),
                        OptionalDouble.empty()))
                : Optional.empty();
    }

    private static OptionalInt number(String digits) {
        return digits.length() > 7 ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
    }

    /** How much of the shape the name tells: of nested ranges the one that tells most is kept. */
    int detail() {
        return (rows.isPresent() ? 1 : 0) + (kvTokens.isPresent() ? 1 : 0);
    }
}
