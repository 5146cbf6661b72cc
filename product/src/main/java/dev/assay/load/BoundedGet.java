package dev.assay.load;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A GET that ends within its limit, however slowly the server answers. */
final class BoundedGet {
    private BoundedGet() {}

    /**
     * The reply and whether the limit ran out. {@link Http#get} bounds each read only, which an answer that trickles
     * outlasts; a virtual thread's blocking read ends when it is interrupted.
     */
    record Answer(Optional<Http.Reply> reply, boolean timedOut) {}

    static Answer get(URI base, String path, Optional<String> apiKey, int limitMillis) {
        AtomicReference<Optional<Http.Reply>> answer = new AtomicReference<>(Optional.empty());
        Thread fetch = Thread.ofVirtual().start(() -> answer.set(Http.get(base, path, apiKey, limitMillis)));
        try {
            if (fetch.join(Duration.ofMillis(limitMillis))) {
                return new Answer(answer.get(), false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        fetch.interrupt();
        return new Answer(Optional.empty(), true);
    }
}
