package dev.assay.engine;

import dev.assay.scheduler.Sequence;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One request inside the engine: its sequence, how its tokens are chosen, and the queue on which its events reach the
 * thread that serves the client. The queue has no bound but the request's own length, so a slow client delays nobody.
 */
final class Generation {
    private final Sequence sequence;
    private final SamplingParams params;
    private final long arrivalNanos;
    private final TextAssembler text;
    private final SplittableRandom random;
    private final BlockingQueue<TokenEvent> events = new LinkedBlockingQueue<>();
    /** Times of the engine thread; 0 before the first token. */
    long firstTokenNanos;
    long lastTokenNanos;

    Generation(long id, int[] prompt, SamplingParams params, long arrivalNanos) {
        sequence = Sequence.ofTokens(id, prompt, params.maxTokens());
        this.params = params;
        this.arrivalNanos = arrivalNanos;
        text = new TextAssembler(params.stop());
        random = new SplittableRandom(params.seed());
    }

    Sequence sequence() {
        return sequence;
    }

    SamplingParams params() {
        return params;
    }

    long arrivalNanos() {
        return arrivalNanos;
    }

    /** The next event; blocks until there is one. */
    TokenEvent take() throws InterruptedException {
        return events.take();
    }

    void abort() {
        events.add(TokenEvent.aborted());
    }

    /** Whether the end token may not be chosen yet. */
    boolean masksEos() {
        return !params.ignoreEos() && sequence.generated() < params.minTokens();
    }

    /** Chooses from logits, which are as before when this returns. */
    int choose(float[] logits, int offset, int vocab, int eos) {
        if (!masksEos()) {
            return Sampler.choose(logits, offset, vocab, params.temperature(), random);
        }
        float kept = logits[offset + eos];
        logits[offset + eos] = Float.NEGATIVE_INFINITY;
        int token = Sampler.choose(logits, offset, vocab, params.temperature(), random);
        logits[offset + eos] = kept;
        return token;
    }

    Optional<TokenLogprobs> logprobs(float[] logits, int offset, int vocab, int token) {
        return params.logprobs() < 0
                ? Optional.empty()
                : Optional.of(Sampler.logprobs(logits, offset, vocab, token, params.logprobs()));
    }

    /** Hands a token, already counted by the sequence, to the client's thread; says whether it was the last and why. */
    Optional<FinishReason> deliver(int token, boolean isEos, byte[] bytes, Optional<TokenLogprobs> logprobs) {
        boolean mayStop = sequence.generated() >= params.minTokens();
        boolean ended = isEos && !params.ignoreEos() && mayStop;
        String delta = ended ? "" : text.append(bytes, mayStop);
        Optional<FinishReason> finish = ended || text.found().isPresent()
                ? Optional.of(FinishReason.STOP)
                : sequence.exhausted() ? Optional.of(FinishReason.LENGTH) : Optional.empty();
        if (finish.isPresent() && text.found().isEmpty()) {
            delta += text.finish();
        }
        events.add(new TokenEvent(token, delta, logprobs, finish, text.found()));
        return finish;
    }
}
