package dev.assay.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step of random small workloads equals that of {@link NaiveScheduler}. */
class SchedulerOracleTest {
    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void plansEqualTheBruteForceModel(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int cap = random.nextInt(1, 6);
        SchedulerConfig config = new SchedulerConfig(cap, cap + random.nextInt(0, 12), random.nextInt(1, 5),
                random.nextInt(4, 20), random.nextInt(4) * 0.1, false);
        Scheduler scheduler = new Scheduler(config);
        NaiveScheduler naive = new NaiveScheduler(config);
        List<Long> live = new ArrayList<>();
        int left = 30;
        long id = 0;
        for (int step = 0; left > 0 || !scheduler.isIdle(); step++) {
            assertThat(step).as("every request ends").isLessThan(20_000);
            while (left > 0 && random.nextInt(3) == 0) {
                left--;
                int prompt = random.nextInt(1, 15);
                int output = random.nextInt(1, 10);
                if (config.fits(prompt, output)) {
                    scheduler.submit(Sequence.ofLength(++id, prompt, output));
                    naive.submit(id, prompt, output);
                    live.add(id);
                }
            }
            if (!live.isEmpty() && random.nextInt(20) == 0) {
                long victim = live.get(random.nextInt(live.size()));
                scheduler.cancel(victim);
                naive.cancel(victim);
            }
            assertThat(workOf(scheduler)).as("step %d of seed %d", step, seed).isEqualTo(naive.step());
        }
        assertThat(scheduler.pagesUsed()).isZero();
    }

    private static Map<Long, Integer> workOf(Scheduler scheduler) {
        StepPlan plan = scheduler.plan();
        Map<Long, Integer> work = new LinkedHashMap<>();
        List<Sequence> ended = new ArrayList<>();
        for (int i = 0; i < plan.size(); i++) {
            Sequence sequence = plan.sequence(i);
            work.put(sequence.id(), plan.count(i));
            if (plan.produces(i) && sequence.generated() + 1 == sequence.maxOutputTokens()) {
                ended.add(sequence);
            }
        }
        if (!plan.isEmpty()) {
            scheduler.advance();
            ended.forEach(scheduler::finish);
        }
        return work;
    }
}
