package dev.assay.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of the scheduler, one by one, on cases worked out by hand. */
class SchedulerTest {
    private static final int BLOCK = 4;

    private static Scheduler scheduler(int cap, int budget, int pages, double watermark, boolean caching) {
        return new Scheduler(new SchedulerConfig(cap, budget, BLOCK, pages, watermark, caching));
    }

    private static Sequence add(Scheduler scheduler, long id, int prompt, int output) {
        Sequence sequence = Sequence.ofTokens(id, IntStream.range(0, prompt).toArray(), output);
        scheduler.submit(sequence);
        return sequence;
    }

    /** One step; gives "id:count" for each planned sequence, and ends those that have all their tokens. */
    private static List<String> step(Scheduler scheduler) {
        StepPlan plan = scheduler.plan();
        List<String> work = new ArrayList<>();
        List<Sequence> planned = new ArrayList<>();
        int[] tokens = new int[plan.size()];
        for (int i = 0; i < plan.size(); i++) {
            work.add(plan.sequence(i).id() + ":" + plan.count(i));
            planned.add(plan.sequence(i));
            tokens[i] = 500 + i;
        }
        if (!plan.isEmpty()) {
            scheduler.advance(tokens);
            planned.stream().filter(Sequence::exhausted).forEach(scheduler::finish);
        }
        return work;
    }

    @Test
    void decodesComeBeforeChunksAndChunksBeforeAdmissions() {
        Scheduler s = scheduler(3, 6, 100, 0, false);
        add(s, 1, 2, 9);
        assertThat(step(s)).containsExactly("1:2");
        add(s, 2, 8, 9);
        add(s, 3, 4, 9);
        assertThat(step(s)).containsExactly("1:1", "2:5");
        assertThat(s.waits(WaitReason.BUDGET)).isEqualTo(1);
        assertThat(step(s)).containsExactly("1:1", "2:3", "3:2");
        assertThat(step(s)).containsExactly("1:1", "2:1", "3:2");
        add(s, 4, 1, 1);
        assertThat(step(s)).containsExactly("1:1", "2:1", "3:1");
        assertThat(s.waits(WaitReason.CAP)).isEqualTo(1);
    }

    @Test
    void admitsOnlyWhenTheWholePromptAndTheWatermarkFit() {
        Scheduler s = scheduler(4, 4, 10, 0.2, false);
        add(s, 1, 20, 4);
        add(s, 2, 16, 4);
        assertThat(step(s)).containsExactly("1:4");
        assertThat(s.pagesUsed()).as("pages of the whole prompt, not of its first chunk").isEqualTo(5);
        for (int i = 0; i < 4; i++) {
            step(s);
        }
        assertThat(step(s)).as("4 free pages, 4 needed, 2 must stay").containsExactly("1:1");
        assertThat(s.waits(WaitReason.BUDGET)).isEqualTo(5);
        assertThat(s.waits(WaitReason.PAGES)).isEqualTo(1);
    }

    @Test
    void aSequenceAloneMayUseTheWatermark() {
        Scheduler s = scheduler(1, 64, 4, 0.5, false);
        add(s, 1, 16, 1);
        assertThat(step(s)).containsExactly("1:16");
        assertThat(s.isIdle()).isTrue();
    }

    @Test
    void preemptsTheNewestAndAdmitsNothingInThatStep() {
        Scheduler s = scheduler(3, 64, 4, 0, false);
        Sequence first = add(s, 1, 8, 6);
        Sequence second = add(s, 2, 8, 6);
        assertThat(step(s)).containsExactly("1:8", "2:8");
        add(s, 3, 1, 1);
        assertThat(step(s)).as("1 needs a third page, 2 yields, 3 stays behind it").containsExactly("1:1");
        assertThat(s.waits(WaitReason.PREEMPTION)).isEqualTo(1);
        assertThat(second.state()).isEqualTo(Sequence.State.WAITING);
        assertThat(second.generated()).as("its token is kept").isEqualTo(1);
        assertThat(step(s)).as("9 tokens of 2 need 3 pages, 1 is free; 3 may not overtake")
                .containsExactly("1:1");
        while (first.state() != Sequence.State.DONE) {
            step(s);
        }
        assertThat(step(s)).as("prompt and kept token again").containsExactly("2:9", "3:1");
        assertThat(s.counts().preemptions()).isEqualTo(1);
        assertThat(s.counts().recomputedTokens()).isEqualTo(8);
        assertThat(s.counts().readmissions()).isEqualTo(1);
        while (!s.isIdle()) {
            step(s);
        }
        assertThat(second.generated()).isEqualTo(6);
    }

    @Test
    void hitsFullPagesOnlyAndNeverTheWholePrompt() {
        Scheduler s = scheduler(2, 64, 20, 0, true);
        add(s, 1, 8, 1);
        step(s);
        assertThat(add(s, 2, 8, 1).hitTokens()).isZero();
        assertThat(step(s)).as("4 of 8: the second page would leave nothing to compute")
                .containsExactly("2:4");
        add(s, 3, 9, 1);
        assertThat(step(s)).containsExactly("3:1");
        add(s, 4, 7, 1);
        assertThat(step(s)).containsExactly("4:3");
        assertThat(s.counts().prefixQueryTokens()).isEqualTo(8 + 8 + 9 + 7);
        assertThat(s.counts().prefixHitTokens()).isEqualTo(4 + 8 + 4);
    }

    @Test
    void generatedTokensAreFoundByAFollowUp() {
        Scheduler s = scheduler(1, 64, 20, 0, true);
        Sequence first = add(s, 1, 3, 6);
        while (!s.isIdle()) {
            step(s);
        }
        int[] followUp = IntStream.range(0, 9).map(i -> first.token(Math.min(i, 8))).toArray();
        Sequence second = Sequence.ofTokens(2, followUp, 1);
        s.submit(second);
        step(s);
        assertThat(second.hitTokens()).isEqualTo(8);
    }

    @Test
    void readmissionAndRetriesAreNoHits() {
        Scheduler s = scheduler(2, 64, 5, 0, true);
        Sequence first = Sequence.ofTokens(1, new int[]{1, 2, 3, 4, 5, 6, 7, 8}, 5);
        Sequence second = Sequence.ofTokens(2, new int[]{9, 2, 3, 4, 5, 6, 7, 8}, 5);
        s.submit(first);
        s.submit(second);
        while (!s.isIdle()) {
            step(s);
        }
        assertThat(s.counts().preemptions()).isPositive();
        assertThat(s.counts().prefixQueryTokens()).isEqualTo(16);
        assertThat(s.counts().prefixHitTokens()).isZero();
        assertThat(s.counts().recomputeHitTokens()).isEqualTo(second.preemptions() * 8L);
    }

    @Test
    void evictsTheEndOfAPrefixBeforeItsBeginning() {
        Scheduler s = scheduler(1, 64, 4, 0, true);
        add(s, 1, 12, 1);
        step(s);
        assertThat(s.pagesCached()).isEqualTo(3);
        Sequence other = Sequence.ofTokens(2, new int[]{90, 91, 92, 93, 94, 95, 96, 97}, 1);
        s.submit(other);
        step(s);
        assertThat(s.counts().evictions()).isEqualTo(1);
        assertThat(add(s, 3, 12, 1).hitTokens()).isZero();
        assertThat(step(s)).as("the first two pages are still there").containsExactly("3:4");
    }

    @Test
    void resetForgetsEveryPrefix() {
        Scheduler s = scheduler(1, 64, 8, 0, true);
        add(s, 1, 8, 1);
        step(s);
        s.resetPrefixCache();
        assertThat(s.pagesCached()).isZero();
        add(s, 2, 8, 1);
        assertThat(step(s)).containsExactly("2:8");
    }

    @Test
    void cancelFreesPagesWhereverTheSequenceIs() {
        Scheduler s = scheduler(1, 4, 8, 0, false);
        add(s, 1, 8, 9);
        add(s, 2, 8, 9);
        step(s);
        assertThat(s.cancel(2)).isPresent();
        assertThat(s.waiting()).isZero();
        assertThat(s.cancel(1)).isPresent();
        assertThat(s.pagesUsed()).isZero();
        assertThat(s.isIdle()).isTrue();
        assertThat(s.cancel(1)).isEmpty();
    }

    @Test
    void refusesWhatCanNeverEnd() {
        Scheduler s = scheduler(1, 4, 2, 0, false);
        assertThatThrownBy(() -> add(s, 1, 5, 5)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exceed the pool of 8");
        add(s, 2, 5, 4);
        assertThatThrownBy(() -> Sequence.ofLength(3, 0, 1)).hasMessageContaining("at least 1 token");
        assertThatThrownBy(() -> Sequence.ofLength(3, 1, 0)).hasMessageContaining("max_tokens");
        Scheduler caching = scheduler(1, 4, 2, 0, true);
        assertThatThrownBy(() -> caching.submit(Sequence.ofLength(1, 1, 1))).hasMessageContaining("tokens");
    }

    @Test
    void refusesSettingsThatCannotWork() {
        assertThatThrownBy(() -> scheduler(8, 7, 1, 0, false)).hasMessageContaining("max_num_batched_tokens");
        assertThatThrownBy(() -> scheduler(0, 7, 1, 0, false)).hasMessageContaining("max_num_seqs");
        assertThatThrownBy(() -> scheduler(1, 7, 0, 0, false)).hasMessageContaining("num_blocks");
        assertThatThrownBy(() -> scheduler(1, 7, 1, 1, false)).hasMessageContaining("watermark");
    }

    @Test
    void aPlanMustBeAdvancedBeforeTheNext() {
        Scheduler s = scheduler(1, 4, 2, 0, false);
        Sequence sequence = add(s, 1, 2, 2);
        s.plan();
        assertThatThrownBy(s::plan).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> s.cancel(1)).isInstanceOf(IllegalStateException.class);
        s.advance(new int[]{7});
        assertThatThrownBy(() -> s.advance(new int[]{7})).isInstanceOf(IllegalStateException.class);
        assertThat(sequence.token(2)).isEqualTo(7);
        assertThatThrownBy(() -> sequence.token(3)).isInstanceOf(IllegalArgumentException.class);
    }
}
