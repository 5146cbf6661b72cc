package dev.assay.engine;

import dev.assay.scheduler.Scheduler;
import dev.assay.scheduler.SchedulerConfig;
import dev.assay.scheduler.Sequence;
import dev.assay.scheduler.StepPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The step loop: one thread that plans, computes, samples and hands out tokens. Other threads speak to it through a
 * queue of commands; only it touches scheduler and decoder.
 */
final class Engine implements AutoCloseable {
    private sealed interface Command {
        record Submit(Generation generation) implements Command {}

        record Cancel(Generation generation) implements Command {}

        record ResetPrefixCache() implements Command {}

        record Stop() implements Command {}
    }

    private final Decoder decoder;
    private final Scheduler scheduler;
    private final LongSupplier clock;
    private final EngineMetrics metrics = new EngineMetrics();
    private final StepLog log = new StepLog(StepLog.CAPACITY);
    private final BlockingQueue<Command> inbox = new LinkedBlockingQueue<>();
    private final Map<Sequence, Generation> live = new HashMap<>();
    private final StepBatch batch;
    private final int[] lastRows;
    private final int[] tokens;
    private final List<Optional<TokenLogprobs>> logprobs = new ArrayList<>();
    private final Thread thread;
    private volatile String failure = "";
    private volatile boolean stopped;
    private long idleNanos;
    private long stepCount;

    /** An engine that owns the decoder from now on; {@code clock} gives monotonic nanoseconds. */
    Engine(Decoder decoder, SchedulerConfig config, LongSupplier clock) {
        this.decoder = decoder;
        this.clock = clock;
        scheduler = new Scheduler(config);
        batch = new StepBatch(config.maxNumBatchedTokens(), config.maxNumSeqs());
        lastRows = new int[config.maxNumSeqs()];
        tokens = new int[config.maxNumSeqs()];
        metrics.state(scheduler);
        thread = Thread.ofPlatform().name("assay-engine").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    EngineMetrics metrics() {
        return metrics;
    }

    StepLog log() {
        return log;
    }

    /** Id of the step loop's thread, for its CPU time. */
    long threadId() {
        return thread.threadId();
    }

    /** Why the loop ended by itself; empty while all is well. */
    String failure() {
        return failure;
    }

    /** Queues a request; its events follow, the last with a finish reason. It must fit the pool. */
    void submit(Generation generation) {
        send(new Command.Submit(generation));
    }

    /** Drops a request wherever it is; it gets no more events. */
    void cancel(Generation generation) {
        send(new Command.Cancel(generation));
    }

    void resetPrefixCache() {
        send(new Command.ResetPrefixCache());
    }

    private void send(Command command) {
        inbox.add(command);
        if (stopped) {
            abortInbox();
        }
    }

    private void run() {
        try {
            long began = clock.getAsLong();
            while (takeCommands()) {
                step(began + idleNanos);
                began = clock.getAsLong();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = e.toString();
        } finally {
            stopped = true;
            live.values().forEach(Generation::abort);
            abortInbox();
        }
    }

    private void abortInbox() {
        for (Command command = inbox.poll(); command != null; command = inbox.poll()) {
            if (command instanceof Command.Submit(Generation generation)) {
                generation.abort();
            }
        }
    }

    /** Obeys all commands, and waits for one while there is nothing to compute; false when told to stop. */
    private boolean takeCommands() throws InterruptedException {
        idleNanos = 0;
        while (true) {
            @Nullable
            Command command = inbox.poll();
            if (command == null) {
                if (!scheduler.isIdle()) {
                    return true;
                }
                metrics.state(scheduler);
                long from = clock.getAsLong();
                command = inbox.take();
                idleNanos += clock.getAsLong() - from;
            }
            switch (command) {
                case Command.Submit(Generation generation) -> {
                    live.put(generation.sequence(), generation);
                    scheduler.submit(generation.sequence());
                }
                case Command.Cancel(Generation generation) -> drop(generation);
                case Command.ResetPrefixCache() -> scheduler.resetPrefixCache();
                case Command.Stop() -> {
                    return false;
                }
            }
        }
    }

    private void drop(Generation generation) {
        if (live.remove(generation.sequence()) != null) {
            scheduler.cancel(generation.sequence().id());
            metrics.finished(generation, FinishReason.ABORT, clock.getAsLong());
        }
    }

    private void step(long startNanos) {
        StepPlan plan = scheduler.plan();
        fillBatch(plan);
        int running = scheduler.running();
        long planned = clock.getAsLong();
        StepCost cost = decoder.step(batch);
        long computed = clock.getAsLong();
        sample(plan);
        long sampled = clock.getAsLong();
        int decodeRows = plan.decodeRows();
        int prefillTokens = plan.prefillTokens();
        int preemptions = plan.preemptions();
        emit(plan, sampled);
        metrics.state(scheduler);
        long ended = clock.getAsLong();
        StepRecord record = new StepRecord(stepCount++, startNanos, ended - startNanos, decodeRows,
                prefillTokens,
                planned - startNanos, cost, sampled - computed, ended - sampled, idleNanos,
                scheduler.config().numBlocks(), scheduler.pagesUsed(), scheduler.pagesCached(),
                scheduler.waiting(),
                running, preemptions);
        metrics.step(record);
        log.add(record);
    }

    private void fillBatch(StepPlan plan) {
        batch.clear();
        for (int i = 0; i < plan.size(); i++) {
            Sequence sequence = plan.sequence(i);
            batch.addSequence(sequence.pageTable());
            int end = sequence.computed() + plan.count(i);
            boolean produces = plan.produces(i);
            for (int position = sequence.computed(); position < end; position++) {
                boolean wanted = produces && position == end - 1;
                lastRows[i] = batch.addRow(sequence.token(position), position, wanted);
            }
        }
    }

    private void sample(StepPlan plan) {
        logprobs.clear();
        int vocab = decoder.shape().vocab();
        float[] logits = decoder.logits();
        for (int i = 0; i < plan.size(); i++) {
            if (!plan.produces(i)) {
                logprobs.add(Optional.empty());
                continue;
            }
            Generation generation = generation(plan.sequence(i));
            int offset = decoder.logitsOffset(lastRows[i]);
            tokens[i] = generation.choose(logits, offset, vocab, decoder.tokenizer().eos());
            logprobs.add(generation.logprobs(logits, offset, vocab, tokens[i]));
        }
    }

    private Generation generation(Sequence sequence) {
        Generation generation = live.get(sequence);
        if (generation == null) {
            throw new IllegalStateException("sequence " + sequence.id() + " has no request");
        }
        return generation;
    }

    private void emit(StepPlan plan, long nowNanos) {
        scheduler.advance(tokens);
        Tokenizer tokenizer = decoder.tokenizer();
        for (int i = 0; i < plan.size(); i++) {
            Sequence sequence = plan.sequence(i);
            // After the advance a sequence decodes exactly if this step gave it a token.
            if (sequence.state() != Sequence.State.DECODE) {
                continue;
            }
            Generation generation = generation(sequence);
            int token = tokens[i];
            metrics.token(generation, nowNanos);
            Optional<FinishReason> finish = generation.deliver(token, token == tokenizer.eos(),
                    tokenizer.bytes(token),
                    logprobs.get(i));
            if (finish.isPresent()) {
                scheduler.finish(sequence);
                live.remove(sequence);
                metrics.finished(generation, finish.get(), nowNanos);
            }
        }
    }

    /** Stops the loop, aborts what is under way and frees the model. */
    @Override
    public void close() {
        inbox.add(new Command.Stop());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        decoder.close();
    }
}
