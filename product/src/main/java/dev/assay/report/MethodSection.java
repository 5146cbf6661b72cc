package dev.assay.report;

import dev.assay.report.Part.Fact;
import dev.assay.review.Arm;
import dev.assay.review.Proposal;
import dev.assay.review.Proposal.ArmSpec;
import dev.assay.review.ReviewView;
import dev.assay.review.SlotKey;
import dev.assay.workload.ArrivalLaw;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How it was measured: machine, workload, design, order and commands. */
final class MethodSection {
    private MethodSection() {}

    static Section of(ReviewView view) {
        Proposal p = view.proposal();
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Machine", view.machine().isEmpty()
                ? Numbers.ABSENT + " (not recorded yet)"
                : new TreeMap<>(view.machine()).entrySet().stream().map(e -> e.getKey() + " " + e.getValue())
                        .collect(Collectors.joining(", "))));
        facts.add(new Fact("Model", p.model().name() + ", shape from " + p.model().shapeFrom()));
        facts.add(new Fact("Workload", workload(p.workload())));
        facts.add(new Fact("Load points", Words.loads(p.loadPoints())));
        facts.add(new Fact("SLO", Words.slo(p.slo())));
        facts.add(new Fact("Design", design(view)));
        String order = order(view);
        if (!order.isEmpty()) {
            facts.add(new Fact("Order", order));
        }
        facts.add(new Fact("Seed", Long.toString(p.measure().seed())));
        return new Section("method", "How it was measured",
                List.of(new Part.Facts(facts), new Part.Code(commands(p.arms()))));
    }

    private static String design(ReviewView view) {
        Proposal.Measure m = view.proposal().measure();
        String done = view.analysis()
                .map(a -> a.blocksComplete() + " of " + a.blocksPlanned() + " blocks complete")
                .orElse(Numbers.count(m.blocks(), "block") + " planned");
        String unit = view.proposal().arms().resident()
                ? "both servers stay up and alternate slot by slot"
                : "a block is four sessions (ABBA or BAAB), each a fresh server";
        return done + "; " + unit + "; slots of " + Numbers.plain(m.slotS()) + " s after "
                + Numbers.plain(m.warmupS()) + " s of warm-up; " + Numbers.count(view.slots().size(), "slot")
                + " measured, " + view.failedSlots().size() + " lost";
    }

    private static String workload(Proposal.Workload w) {
        String source = w.preset().map(p -> "preset " + p)
                .or(() -> w.trace().map(t -> "trace " + t))
                .orElseGet(() -> "input " + w.inputTokens().orElse("?") + ", output "
                        + w.outputTokens().orElse("?")
                        + " tokens");
        return source + ", " + arrivals(w) + w.api().map(a -> ", endpoint " + a).orElse("")
                + (w.ignoreEos().orElse(false) ? ", output length forced" : "");
    }

    private static String arrivals(Proposal.Workload w) {
        String words = w.arrivals().orElse(new ArrivalLaw.Poisson()).words();
        return words.startsWith("Poisson")
                ? words
                : Character.toLowerCase(words.charAt(0)) + words.substring(1);
    }

    /** The arms of each block in the order they ran, A for the baseline. */
    private static String order(ReviewView view) {
        TreeMap<Integer, TreeMap<Integer, Arm>> blocks = new TreeMap<>();
        Stream.concat(view.slots().stream().map(s -> s.key()), view.failedSlots().stream().map(f -> f.key()))
                .forEach((SlotKey k) -> blocks.computeIfAbsent(k.block(), _ -> new TreeMap<>()).put(
                        k.session(),
                        k.arm()));
        return blocks.values().stream().map(sessions -> sessions.values().stream()
                .map(a -> a == Arm.BASELINE ? "A" : "B").collect(Collectors.joining()))
                .collect(Collectors.joining(" ")) + (blocks.isEmpty() ? "" : " (A baseline, B candidate)");
    }

    private static String commands(Proposal.Arms arms) {
        return "baseline:  " + command(arms.baseline()) + "\ncandidate: " + command(arms.candidate());
    }

    private static String command(ArmSpec arm) {
        String settings = arm.env().map(e -> new TreeMap<>(e).entrySet().stream()
                .map(v -> v.getKey() + "=" + v.getValue() + " ").collect(Collectors.joining())).orElse("");
        return settings + arm.command().or(arm::url).orElse(Numbers.ABSENT)
                + (arm.spoken().isEmpty() ? "" : "  (" + arm.spoken() + ")");
    }
}
