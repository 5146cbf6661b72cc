package dev.assay.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What must hold after every step of a random workload with shared prefixes, with and without colliding hashes: pages
 * are conserved, their counts are the number of holders, and a page always holds what its sequences think it does.
 */
class SchedulerInvariantsTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    private final Map<Integer, List<Integer>> written = new HashMap<>();
    private final List<Sequence> live = new ArrayList<>();
    private final List<Long> firstAdmissions = new ArrayList<>();
    private int ended;

    @ParameterizedTest
    @MethodSource("seeds")
    void invariantsHold(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int cap = random.nextInt(1, 9);
        SchedulerConfig config = new SchedulerConfig(cap, cap + random.nextInt(0, 30), random.nextInt(1, 6),
                random.nextInt(6, 40), random.nextInt(3) * 0.05, true);
        Scheduler scheduler = new Scheduler(config, random.nextInt(4) == 0 ? 0 : -1L);
        int submitted = 0;
        for (int step = 0; submitted < 60 || !scheduler.isIdle(); step++) {
            assertThat(step).as("every request ends").isLessThan(20_000);
            while (submitted < 60 && random.nextInt(3) == 0) {
                submitted++;
                submit(scheduler, submitted, random);
            }
            if (!live.isEmpty() && random.nextInt(25) == 0) {
                Sequence victim = live.remove(random.nextInt(live.size()));
                assertThat(scheduler.cancel(victim.id())).contains(victim);
                assertThat(scheduler.cancel(victim.id())).isEmpty();
            }
            if (random.nextInt(100) == 0) {
                scheduler.resetPrefixCache();
            }
            step(scheduler, random);
            checkPages(scheduler);
        }
        assertThat(scheduler.pagesUsed()).isZero();
        assertThat(firstAdmissions).isSorted();
        assertThat(live).isEmpty();
        assertThat(ended).isPositive();
    }

    private void submit(Scheduler scheduler, int id, SplittableRandom random) {
        int shared = random.nextInt(0, 12);
        int own = random.nextInt(1, 10);
        int[] prompt = new int[shared + own];
        int family = random.nextInt(2);
        for (int i = 0; i < prompt.length; i++) {
            prompt[i] = i < shared ? family * 100 + i : 1000 + random.nextInt(2);
        }
        int output = random.nextInt(1, 12);
        if (scheduler.config().fits(prompt.length, output)) {
            Sequence sequence = Sequence.ofTokens(id, prompt, output);
            scheduler.submit(sequence);
            live.add(sequence);
        }
    }

    private void step(Scheduler scheduler, SplittableRandom random) {
        StepPlan plan = scheduler.plan();
        SchedulerConfig config = scheduler.config();
        assertThat(plan.tokens()).isLessThanOrEqualTo(config.maxNumBatchedTokens());
        assertThat(plan.size()).isLessThanOrEqualTo(config.maxNumSeqs());
        assertThat(scheduler.running()).isLessThanOrEqualTo(config.maxNumSeqs());
        assertThat(plan.isEmpty()).isEqualTo(scheduler.isIdle());
        if (plan.preemptions() > 0) {
            assertThat(plan.admissions()).isZero();
        }
        if (plan.isEmpty()) {
            return;
        }
        int[] tokens = new int[plan.size()];
        List<Sequence> done = new ArrayList<>();
        for (int i = 0; i < plan.size(); i++) {
            tokens[i] = 1000 + random.nextInt(2);
            Sequence sequence = plan.sequence(i);
            noteAdmission(sequence);
            write(sequence, plan.count(i), config.blockSize());
            if (plan.produces(i) && sequence.generated() + 1 == sequence.maxOutputTokens()) {
                done.add(sequence);
            }
        }
        scheduler.advance(tokens);
        for (Sequence sequence : done) {
            assertThat(sequence.exhausted()).isTrue();
            scheduler.finish(sequence);
            live.remove(sequence);
            ended++;
        }
    }

    private void noteAdmission(Sequence sequence) {
        if (!firstAdmissions.contains(sequence.id())) {
            firstAdmissions.add(sequence.id());
        }
    }

    /** Writes the planned tokens where a decoder would, and compares what lies before them with the sequence. */
    private void write(Sequence sequence, int count, int blockSize) {
        for (int i = 0; i < sequence.computed() + count; i++) {
            int page = sequence.pageTable()[i / blockSize];
            assertThat(i / blockSize).isLessThan(sequence.pageCount());
            int slot = page * blockSize + i % blockSize;
            if (i >= sequence.computed()) {
                written.put(slot, List.of(i, sequence.token(i)));
            } else {
                assertThat(written.get(slot)).isEqualTo(List.of(i, sequence.token(i)));
            }
        }
    }

    private void checkPages(Scheduler scheduler) {
        Map<Integer, Integer> holders = new HashMap<>();
        for (Sequence sequence : live) {
            for (int i = 0; i < sequence.pageCount(); i++) {
                holders.merge(sequence.pageTable()[i], 1, Integer::sum);
            }
        }
        PagePool pool = scheduler.pool();
        for (int page = 0; page < pool.total(); page++) {
            assertThat(pool.references(page)).isEqualTo(holders.getOrDefault(page, 0));
        }
        assertThat(scheduler.pagesUsed()).isEqualTo(holders.size());
        assertThat(scheduler.pagesCached()).isBetween(0, pool.free());
    }
}
