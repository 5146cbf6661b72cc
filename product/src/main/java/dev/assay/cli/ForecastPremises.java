package dev.assay.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What a forecast from first principles takes for granted, in sentences. */
final class ForecastPremises {
    private ForecastPremises() {}

    static List<String> of(ForecastOptions.Resolved r) {
        List<String> premises = new ArrayList<>();
        premises.add(
                "steady state: prompts of later requests are computed while earlier ones decode; a burst puts"
                        + " them into TTFT instead");
        TreeSet<String> defaults = new TreeSet<>(r.baseline().defaults());
        defaults.addAll(r.candidate().defaults());
        if (!defaults.isEmpty()) {
            premises.add("left to the engine: " + String.join(", ", defaults));
        }
        if (r.inputs().activationBytes().isEmpty()) {
            premises.add(
                    "the peak of activations is a rough estimate; --activation-gib takes what the engine logs");
        }
        if (r.inputs().sharedPrefix() == 0 && r.baseline().prefixCaching()) {
            premises.add("no prompt shares a prefix with another (--shared-prefix)");
        }
        if (r.baselineModel().mixtures().findAny().isPresent()) {
            premises.add("experts are chosen " + (r.inputs().routing().skew() == 0
                    ? "uniformly (--routing-skew)"
                    : "by a power law with exponent " + r.inputs().routing().skew()));
        }
        if (r.baseline().pageSize() % 16 != 0 && r.baseline().engine().equals("vllm")
                || r.candidate().pageSize() % 16 != 0 && r.candidate().engine().equals("vllm")) {
            premises.add(
                    "the attention kernel runs at that page size, and as fast: FlashAttention needs multiples"
                            + " of 16");
        }
        if (r.baseline().pageSize() != r.candidate().pageSize()) {
            premises.add(
                    "kernels are as fast at both page sizes; measured costs range from nil to a factor of 4");
        }
        r.hardware().note().ifPresent(n -> premises.add(r.hardware().name() + ": " + n));
        return premises;
    }
}
