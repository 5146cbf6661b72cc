package dev.assay.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Sessions drawn from a mix of classes. */
final class MixSource implements Session.Source {
    private final List<RequestClass> classes;
    private final long seed;
    private final double totalWeight;
    private long index;

    MixSource(List<RequestClass> classes, long seed) {
        this.classes = classes;
        this.seed = seed;
        this.totalWeight = classes.stream().mapToDouble(RequestClass::weight).sum();
    }

    @Override
    public Optional<Session> next(int firstId) {
        RequestClass drawn = drawClass();
        int turns = drawn.single() ? 1 : drawn.turns().sample(Seeds.stream(seed, Seeds.TURNS, index));
        List<Session.Draft> drafts = new ArrayList<>(turns);
        int history = 0;
        for (int turn = 0; turn < turns; turn++) {
            SplittableRandom random = Seeds.stream(seed, Seeds.LENGTHS, firstId + turn);
            int input = drawn.input().sample(random);
            int output = drawn.output().sample(random);
            PromptPlan plan = new PromptPlan.Words(input);
            int prompt = history + input;
            if (turn == 0 && drawn.prefix().isPresent()) {
                PrefixGroups.Group group = drawn.prefix().get().of(seed, index);
                plan = new PromptPlan.Prefixed(group, input);
                prompt += group.tokens();
            }
            long think = turn == 0
                    ? 0
                    : drawn.think().nanos(Seeds.stream(seed, Seeds.THINKING, firstId + turn));
            drafts.add(new Session.Draft(plan, prompt, output, think));
            history = prompt + output;
        }
        index++;
        return Optional.of(new Session(0, drawn.name(), drafts));
    }

    private RequestClass drawClass() {
        if (classes.size() == 1) {
            return classes.getFirst();
        }
        double rest = Seeds.stream(seed, Seeds.CLASSES, index).nextDouble() * totalWeight;
        for (RequestClass each : classes) {
            rest -= each.weight();
            if (rest < 0) {
                return each;
            }
        }
        return classes.getLast();
    }
}
