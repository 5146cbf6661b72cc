package dev.assay.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A scheduler that leaps over quiet steps is at each leap's end where one that takes every step is. */
class SchedulerLeapTest {
    static LongStream seeds() {
        return LongStream.range(0, 600);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void leapsEndWhereStepsDo(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean caching = seed % 3 == 0;
        int cap = random.nextInt(1, 8);
        SchedulerConfig config = new SchedulerConfig(cap, cap + random.nextInt(0, 16), random.nextInt(1, 6),
                random.nextInt(8, 40), random.nextInt(4) * 0.1, caching);
        Scheduler steps = new Scheduler(config);
        Scheduler leaps = Scheduler.withoutTables(config);
        Map<Long, Pair> pairs = new HashMap<>();
        long id = 0;
        int leapCount = 0;
        for (int round = 0; id < 40 || !leaps.isIdle(); round++) {
            assertThat(round).as("every request ends").isLessThan(20_000);
            while (id < 40 && random.nextInt(3) == 0) {
                int[] prompt = prompt(random);
                int output = random.nextInt(1, 25);
                id++;
                if (config.fits(prompt.length, output)) {
                    pairs.put(id, new Pair(submit(steps, id, prompt, output, caching),
                            submit(leaps, id, prompt, output, caching)));
                }
            }
            int quiet = leaps.quietSteps();
            int count = quiet == 0 ? 1 : random.nextInt(1, quiet + 1);
            if (quiet == 0) {
                step(leaps);
            } else {
                leaps.leap(count);
                leapCount++;
            }
            for (int i = 0; i < count; i++) {
                step(steps);
                assertThat(i + 1 == count || ended(pairs).isEmpty()).as("nothing ends within a leap")
                        .isTrue();
            }
            assertThat(leaps.counts()).as("round %d of seed %d", round, seed).isEqualTo(steps.counts());
            for (WaitReason reason : WaitReason.values()) {
                assertThat(leaps.waits(reason)).as("%s in round %d", reason, round)
                        .isEqualTo(steps.waits(reason));
            }
            assertThat(leaps.waiting()).isEqualTo(steps.waiting());
            pairs.values().forEach(p -> assertThat(state(p.leapt())).isEqualTo(state(p.stepped())));
            for (Pair done : ended(pairs)) {
                steps.finish(done.stepped());
                leaps.finish(done.leapt());
                pairs.remove(done.stepped().id());
            }
        }
        assertThat(leapCount).as("leaps were taken").isPositive();
        assertThat(leaps.pagesUsed()).isZero();
    }

    private static Sequence submit(Scheduler scheduler, long id, int[] prompt, int output, boolean caching) {
        Sequence sequence = caching
                ? Sequence.ofTokens(id, prompt, output)
                : Sequence.ofLength(id, prompt.length, output);
        scheduler.submit(sequence);
        return sequence;
    }

    /** Prompts from few families, so that prefixes are shared. */
    private static int[] prompt(SplittableRandom random) {
        int[] prompt = new int[random.nextInt(1, 20)];
        int family = random.nextInt(3);
        int shared = random.nextInt(prompt.length + 1);
        for (int i = 0; i < prompt.length; i++) {
            prompt[i] = i < shared ? family : random.nextInt(100);
        }
        return prompt;
    }

    private static void step(Scheduler scheduler) {
        if (!scheduler.plan().isEmpty()) {
            scheduler.advance();
        }
    }

    /** The same request in both schedulers. */
    private record Pair(Sequence stepped, Sequence leapt) {}

    private static List<Pair> ended(Map<Long, Pair> pairs) {
        return pairs.values().stream().filter(p -> p.stepped().exhausted())
                .sorted(Comparator.comparingLong(p -> p.stepped().id())).toList();
    }

    private static List<Object> state(Sequence s) {
        return List.of(s.id(), s.state(), s.computed(), s.generated(), s.pageCount(), s.preemptions(),
                s.hitTokens());
    }

    @Test
    void aLeapOfNoStepIsRefused() {
        Scheduler scheduler = new Scheduler(new SchedulerConfig(2, 8, 4, 8, 0, false));
        assertThatThrownBy(() -> scheduler.leap(0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("count is 0");
    }
}
