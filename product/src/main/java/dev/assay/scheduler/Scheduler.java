package dev.assay.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Continuous batching over a paged KV pool, without a clock, a model or a thread of its own.
 *
 * <p>The caller repeats {@link #plan()}, computes the plan, {@link #advance}s and then {@link #finish}es or
 * {@link #cancel}s sequences. A plan takes, within the token budget, all decodes, then the next chunks of running
 * prefills, then admissions in order of arrival. A sequence is admitted only if all its known tokens fit, and their
 * pages are taken at once, so that a running prefill never waits for a page. When a decode finds no page, the newest
 * running sequence loses its pages, goes to the front of the queue and is computed again later; a step that preempts
 * admits nothing. The oldest running sequence is never preempted and fits the pool alone, so every sequence ends.
 * Not safe for use by several threads.
 */
public final class Scheduler {
    private final SchedulerConfig config;
    private final PrefixIndex index;
    private final PagePool pool;
    private final boolean counted;
    private final ArrayDeque<Sequence> waiting = new ArrayDeque<>();
    private final List<Sequence> running;
    private final StepPlan plan;
    private final Map<WaitReason, Long> waits = new EnumMap<>(WaitReason.class);
    private final int[] hits;
    private boolean planOpen;
    /** Why the queue's head waits through quiet steps, as last found. */
    private WaitReason quietReason = WaitReason.CAP;
    private long steps;
    private long admissions;
    private long readmissions;
    private long preemptions;
    private long recomputedTokens;
    private long prefixQueryTokens;
    private long prefixHitTokens;
    private long recomputeHitTokens;

    /** A scheduler with an empty pool and an empty queue. */
    public Scheduler(SchedulerConfig config) {
        this(config, -1L, false);
    }

    /**
     * The same scheduler for a caller that never asks for page tables: without prefix caching, pages are counted and
     * have no names.
     */
    public static Scheduler withoutTables(SchedulerConfig config) {
        return new Scheduler(config, -1L, !config.prefixCaching());
    }

    Scheduler(SchedulerConfig config, long hashMask) {
        this(config, hashMask, false);
    }

    private Scheduler(SchedulerConfig config, long hashMask, boolean counted) {
        this.config = config;
        this.counted = counted;
        index = new PrefixIndex(config.numBlocks(), config.blockSize(), config.prefixCaching(), hashMask);
        pool = new PagePool(config.numBlocks(), index, counted);
        running = new ArrayList<>(config.maxNumSeqs());
        plan = new StepPlan(config.maxNumSeqs());
        hits = new int[config.prefixCaching() ? config.numBlocks() : 0];
    }

    /** Its settings. */
    public SchedulerConfig config() {
        return config;
    }

    /**
     * Puts a new sequence at the end of the queue.
     *
     * @throws IllegalArgumentException if it could never end within the pool, was submitted before, or lacks the tokens
     *                                  that prefix caching compares
     */
    public void submit(Sequence sequence) {
        if (sequence.state != Sequence.State.WAITING || sequence.submitted) {
            throw new IllegalArgumentException("sequence " + sequence.id() + " was submitted before");
        }
        if (config.prefixCaching() && !sequence.hasTokens()) {
            throw new IllegalArgumentException(
                    "prefix caching needs the tokens of sequence " + sequence.id());
        }
        if (!config.fits(sequence.promptLength(), sequence.maxOutputTokens())) {
            throw new IllegalArgumentException("prompt of " + sequence.promptLength() + " and output of "
                    + sequence.maxOutputTokens() + " tokens exceed the pool of " + config.capacityTokens());
        }
        sequence.submitted = true;
        if (!counted) {
            long tokens = (long) sequence.promptLength() + sequence.maxOutputTokens() - 1;
            sequence.pages = new int[config.pagesFor(tokens)];
        }
        waiting.addLast(sequence);
    }

    /** Decides the next step; what was preempted has lost its pages when this returns. */
    public StepPlan plan() {
        requirePlan(false);
        plan.clear();
        planDecodes();
        int budget = planPrefills(config.maxNumBatchedTokens() - plan.decodeRows());
        admit(budget);
        planOpen = !plan.isEmpty();
        if (planOpen) {
            steps++;
        }
        return plan;
    }

    private void planDecodes() {
        for (int i = 0; i < running.size(); i++) {
            Sequence sequence = running.get(i);
            if (sequence.state != Sequence.State.DECODE) {
                continue;
            }
            boolean pageIsFull = sequence.pageCount * config.blockSize() == sequence.computed;
            if (pageIsFull && !makeRoom(sequence)) {
                return;
            }
            plan.addDecode(sequence);
        }
    }

    /** Gives the sequence one more page, or false if it was itself the newest and had to yield. */
    private boolean makeRoom(Sequence sequence) {
        while (pool.free() == 0) {
            Sequence newest = running.removeLast();
            preempt(newest);
            if (newest == sequence) {
                return false;
            }
        }
        take(sequence, 1);
        return true;
    }

    private void preempt(Sequence sequence) {
        recomputedTokens += sequence.computed;
        preemptions++;
        plan.preemptions++;
        sequence.preemptions++;
        releasePages(sequence);
        sequence.state = Sequence.State.WAITING;
        waiting.addFirst(sequence);
    }

    private int planPrefills(int budget) {
        int left = budget;
        for (int i = 0; i < running.size() && left > 0; i++) {
            Sequence sequence = running.get(i);
            if (sequence.state == Sequence.State.PREFILL) {
                int count = Math.min(left, sequence.length() - sequence.computed);
                plan.addPrefill(sequence, count);
                left -= count;
            }
        }
        return left;
    }

    private void admit(int budget) {
        int left = budget;
        while (!waiting.isEmpty()) {
            Sequence head = waiting.getFirst();
            Optional<WaitReason> blocked = blockedBy(left);
            if (blocked.isEmpty() && !takePages(head)) {
                blocked = Optional.of(WaitReason.PAGES);
            }
            if (blocked.isPresent()) {
                waits.merge(blocked.get(), 1L, Long::sum);
                return;
            }
            waiting.removeFirst();
            running.add(head);
            head.state = Sequence.State.PREFILL;
            plan.admissions++;
            int count = Math.min(left, head.length() - head.computed);
            plan.addPrefill(head, count);
            left -= count;
        }
    }

    private Optional<WaitReason> blockedBy(int budget) {
        if (plan.preemptions > 0) {
            return Optional.of(WaitReason.PREEMPTION);
        }
        if (running.size() == config.maxNumSeqs()) {
            return Optional.of(WaitReason.CAP);
        }
        return budget == 0 ? Optional.of(WaitReason.BUDGET) : Optional.empty();
    }

    /** Takes all pages that the sequence's known tokens need, shared ones where possible, or none at all. */
    private boolean takePages(Sequence sequence) {
        int hitPages = config.prefixCaching() ? findHits(sequence) : 0;
        int fresh = config.pagesFor(sequence.length()) - hitPages;
        if (!fits(fresh, hitPages)) {
            return false;
        }
        for (int i = 0; i < hitPages; i++) {
            pool.retain(hits[i]);
            sequence.pages[i] = hits[i];
            sequence.chainSerial = index.serial(hits[i]);
        }
        sequence.pageCount = hitPages;
        take(sequence, fresh);
        sequence.indexedPages = hitPages;
        sequence.computed = hitPages * config.blockSize();
        countAdmission(sequence);
        return true;
    }

    /** Whether a new sequence's fresh pages and {@link #hits} can be had, with what must be spared. */
    private boolean fits(int fresh, int hitPages) {
        int fromFree = fresh;
        for (int i = 0; i < hitPages; i++) {
            fromFree += pool.references(hits[i]) == 0 ? 1 : 0;
        }
        // Alone it may use the whole pool: nothing else could make room for it.
        int spared = running.isEmpty() ? 0 : config.watermarkPages();
        return pool.free() - fromFree >= spared;
    }

    /** Fills {@link #hits} with the cached pages of the sequence's prefix; one token always stays to be computed. */
    private int findHits(Sequence sequence) {
        int most = (sequence.length() - 1) / config.blockSize();
        long parent = PrefixIndex.ROOT;
        for (int i = 0; i < most; i++) {
            int page = index.find(parent, sequence.rawTokens(), i * config.blockSize());
            if (page == PrefixIndex.NONE) {
                return i;
            }
            hits[i] = page;
            parent = index.serial(page);
        }
        return most;
    }

    private void countAdmission(Sequence sequence) {
        if (sequence.preemptions > 0) {
            readmissions++;
            recomputeHitTokens += sequence.computed;
            return;
        }
        admissions++;
        sequence.hitTokens = sequence.computed;
        if (config.prefixCaching()) {
            prefixQueryTokens += sequence.promptLength();
            prefixHitTokens += sequence.computed;
        }
    }

    /**
     * Records that the open plan was computed, where what it gave is not known: a sequence with tokens goes on with the
     * last one of its prompt.
     */
    public void advance() {
        requirePlan(true);
        for (int i = 0; i < plan.size(); i++) {
            advance(i, plan.sequence(i).guessedToken());
        }
        planOpen = false;
    }

    /**
     * Records that the open plan was computed.
     *
     * @param newTokens for each index of the plan the token it gave; read only where {@link StepPlan#produces(int)}
     */
    public void advance(int[] newTokens) {
        requirePlan(true);
        for (int i = 0; i < plan.size(); i++) {
            advance(i, newTokens[i]);
        }
        planOpen = false;
    }

    private void advance(int i, int token) {
        Sequence sequence = plan.sequence(i);
        boolean produces = plan.produces(i);
        sequence.computed += plan.count(i);
        if (config.prefixCaching()) {
            indexFullPages(sequence);
        }
        if (produces) {
            sequence.append(token);
            sequence.state = Sequence.State.DECODE;
        }
    }

    private void indexFullPages(Sequence sequence) {
        while ((sequence.indexedPages + 1) * config.blockSize() <= sequence.computed) {
            int i = sequence.indexedPages++;
            sequence.chainSerial = index.add(sequence.pages[i], sequence.chainSerial, sequence.rawTokens(),
                    i * config.blockSize());
        }
    }

    /**
     * How many of the following steps are known beforehand to decode every running sequence and to do nothing else, if
     * nothing is submitted or cancelled meanwhile; a sequence ends, at the earliest, with the last of them. May be
     * lower than the truth, and is 0 where the next step is not of this kind.
     */
    public int quietSteps() {
        requirePlan(false);
        int most = Integer.MAX_VALUE;
        for (int i = 0; i < running.size(); i++) {
            Sequence sequence = running.get(i);
            if (sequence.state != Sequence.State.DECODE) {
                return 0;
            }
            most = Math.min(most, sequence.maxOutputTokens() - sequence.generated);
        }
        if (running.isEmpty() || !queueStays()) {
            return 0;
        }
        return mostPages(most) <= pool.free() ? most : stepsWithinPool(most);
    }

    /** Whether the queue's head, if there is one, stays blocked while the running sequences decode and none ends. */
    private boolean queueStays() {
        if (waiting.isEmpty()) {
            return true;
        }
        quietReason = WaitReason.CAP;
        if (running.size() == config.maxNumSeqs()) {
            return true;
        }
        quietReason = WaitReason.BUDGET;
        if (running.size() == config.maxNumBatchedTokens()) {
            return true;
        }
        // Decodes only take pages: what does not fit now will not, unless it may find what they generate.
        quietReason = WaitReason.PAGES;
        return !config.prefixCaching() && !fits(config.pagesFor(waiting.getFirst().length()), 0);
    }

    /** Pages that all running sequences together take at most in {@code steps} decodes. */
    private long mostPages(int steps) {
        return (long) running.size() * (steps / config.blockSize() + 1);
    }

    /** The most steps, up to {@code most}, whose pages are free. */
    private int stepsWithinPool(int most) {
        int low = 0;
        int high = most;
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            if (pagesTaken(middle) <= pool.free()) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private long pagesTaken(int steps) {
        long pages = 0;
        for (int i = 0; i < running.size(); i++) {
            Sequence sequence = running.get(i);
            pages += config.pagesFor((long) sequence.computed + steps) - sequence.pageCount;
        }
        return pages;
    }

    /**
     * Does {@code count} steps that decode every running sequence, as so many rounds of {@link #plan()} and
     * {@link #advance()} would.
     *
     * @param count at least 1 and at most {@link #quietSteps()}, asked for since anything else changed (a submission behind
     *              a blocked head changes nothing)
     */
    public void leap(int count) {
        requirePlan(false);
        if (count < 1) {
            throw new IllegalArgumentException("count is " + count + "; expected 1 to quietSteps()");
        }
        if (config.prefixCaching()) {
            // Which of two equal pages is found later depends on which was full first.
            for (int i = 0; i < count; i++) {
                decodeAll(1);
            }
        } else {
            decodeAll(count);
        }
        steps += count;
        if (!waiting.isEmpty()) {
            waits.merge(quietReason, (long) count, Long::sum);
        }
    }

    /** Pages are taken before any is indexed, as a plan takes them before it is computed. */
    private void decodeAll(int count) {
        for (int i = 0; i < running.size(); i++) {
            Sequence sequence = running.get(i);
            take(sequence, config.pagesFor((long) sequence.computed + count) - sequence.pageCount);
            sequence.computed += count;
            sequence.append(sequence.guessedToken(), count);
        }
        for (int i = 0; config.prefixCaching() && i < running.size(); i++) {
            indexFullPages(running.get(i));
        }
    }

    /** Ends a running sequence and frees its pages. */
    public void finish(Sequence sequence) {
        requirePlan(false);
        if (!running.remove(sequence)) {
            throw new IllegalArgumentException("sequence " + sequence.id() + " does not run");
        }
        releasePages(sequence);
        sequence.state = Sequence.State.DONE;
    }

    /** Ends a sequence wherever it is and frees its pages; empty if it is not here (any more). */
    public Optional<Sequence> cancel(long id) {
        requirePlan(false);
        for (Sequence sequence : running) {
            if (sequence.id() == id) {
                finish(sequence);
                return Optional.of(sequence);
            }
        }
        for (Sequence sequence : waiting) {
            if (sequence.id() == id) {
                waiting.remove(sequence);
                sequence.state = Sequence.State.DONE;
                return Optional.of(sequence);
            }
        }
        return Optional.empty();
    }

    private void take(Sequence sequence, int count) {
        pool.allocate(sequence.pages, sequence.pageCount, count);
        sequence.pageCount += count;
    }

    private void releasePages(Sequence sequence) {
        pool.release(sequence.pages, sequence.pageCount);
        sequence.pageCount = 0;
        sequence.computed = 0;
        sequence.indexedPages = 0;
        sequence.chainSerial = PrefixIndex.ROOT;
    }

    /** Forgets all cached prefixes; running sequences keep their pages. */
    public void resetPrefixCache() {
        requirePlan(false);
        pool.forgetContent();
    }

    /** Sequences that run. */
    public int running() {
        return running.size();
    }

    /** The running sequence at an index below {@link #running()}, the oldest first. */
    public Sequence running(int index) {
        return running.get(index);
    }

    /** Tokens whose keys and values the running sequences hold. */
    public long computedTokens() {
        long tokens = 0;
        for (int i = 0; i < running.size(); i++) {
            tokens += running.get(i).computed;
        }
        return tokens;
    }

    /** Sequences in the queue. */
    public int waiting() {
        return waiting.size();
    }

    /** Whether nothing runs and nothing waits. */
    public boolean isIdle() {
        return running.isEmpty() && waiting.isEmpty();
    }

    /** Plans that left the head of the queue waiting for this reason. */
    public long waits(WaitReason reason) {
        return waits.getOrDefault(reason, 0L);
    }

    /** Pages that a sequence holds. */
    public int pagesUsed() {
        return pool.total() - pool.free();
    }

    /** Free pages whose content can still be found. */
    public int pagesCached() {
        return pool.cached();
    }

    /** All counters now. */
    public SchedulerCounts counts() {
        return new SchedulerCounts(steps, admissions, readmissions, preemptions, recomputedTokens,
                prefixQueryTokens,
                prefixHitTokens, recomputeHitTokens, pool.allocations, pool.evictions, pool.total(),
                pagesUsed(),
                pagesCached());
    }

    PagePool pool() {
        return pool;
    }

    private void requirePlan(boolean open) {
        if (planOpen != open) {
            throw new IllegalStateException(open ? "no plan is open" : "the open plan was not advanced");
        }
    }
}
