package dev.assay.load;

import dev.assay.workload.Request;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs the encoder and the reader on made-up traffic, so that the first measured requests meet compiled code. */
final class Warmup {
    private static final AtomicBoolean DONE = new AtomicBoolean();
    private static final int ROUNDS = 400;
    private static final int EVENTS = 32;

    private Warmup() {}

    /** The first call warms; later ones return at once. */
    static void once(Target target) {
        if (DONE.getAndSet(true)) {
            return;
        }
        byte[] response = response();
        RequestEncoder encoder = new RequestEncoder(target);
        ResponseReader reader = new ResponseReader(Target.Api.COMPLETIONS, false);
        for (int round = 0; round < ROUNDS; round++) {
            Request request = new Request(round, 0, "some plain words of a prompt", 6, EVENTS, "warm-up",
                    Optional.empty());
            reader.begin(new Exchange(request, encoder.encode(request), 0));
            int step = 97 + round % 200;
            for (int at = 0; at < response.length; at += step) {
                reader.feed(response, at, Math.min(at + step, response.length), at);
            }
        }
    }

    private static byte[] response() {
        StringBuilder text = new StringBuilder(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < EVENTS; i++) {
            String event = "data: {\"id\":\"cmpl-0\",\"object\":\"text_completion\",\"created\":1,\"model\":\"m\",\"choices\":"
                    + "[{\"index\":0,\"text\":\" word\",\"logprobs\":null,\"finish_reason\":null}],\"usage\":"
                    + "{\"prompt_tokens\":6,\"total_tokens\":" + (i + 7) + ",\"completion_tokens\":" + (i + 1)
                    + "}}\n\n";
            text.append(Integer.toHexString(event.length())).append("\r\n").append(event).append("\r\n");
        }
        return text.append("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }
}
