package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.EventScanner.Found;
import dev.assay.workload.FailureClass;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one response after another, whatever frames it, and records its events in the current
 * {@link Exchange}.
 *
 * <p>The rules by which events become token arrivals are those of docs/metrics.md.
 */
final class AnswerReader implements SseReader.Sink {
    private static final int BODY_LIMIT = 4 << 10;
    private static final int DETAIL_LIMIT = 200;
    private static final int TEXT_LIMIT = 16 << 20;

    /** What the response's head says; filled by what frames it. */
    final ResponseHead head = new ResponseHead();
    private final boolean keepAlways;
    private boolean keepText;
    private final Target.Api api;
    private final EventScanner scanner;
    private final Found found;
    private final SseReader sse = new SseReader(this);
    private final Bytes body = new Bytes();
    private boolean stream;
    private @Nullable Exchange exchange;
    private boolean done;
    private @Nullable FailureClass failure;
    private String detail = "";

    AnswerReader(Target.Api api, boolean keepText) {
        this.api = api;
        this.keepAlways = keepText;
        this.scanner = new EventScanner(api.grammar());
        this.found = scanner.found;
    }

    void begin(Exchange next) {
        exchange = next;
        // The turns after this one will quote its answer.
        keepText = keepAlways || next.request.turn().isPresent();
        clearHead();
        done = false;
        failure = null;
        detail = "";
    }

    /** Forgets an interim response's head. */
    void clearHead() {
        head.clear();
        stream = false;
        body.clear();
        sse.reset();
    }

    /** Whether the stream's terminator came. */
    boolean done() {
        return done;
    }

    /** Whether the outcome is known: the terminator came, or a failure. */
    boolean concluded() {
        return done || failure != null;
    }

    @Nullable
    FailureClass failure() {
        return failure;
    }

    String detail() {
        return detail;
    }

    /** The class of a request whose time limit passed in this state. */
    void timeOut(String text) {
        if (head.status >= 400) {
            failStatus();
        } else {
            fail(FailureClass.TIMEOUT, text);
        }
    }

    /** The connection was lost before the response's end. */
    void lost(String text) {
        if (head.status >= 400) {
            failStatus();
        }
        fail(FailureClass.RESET, text);
    }

    void fail(FailureClass kind, String text) {
        if (!concluded()) {
            failure = kind;
            detail = text;
        }
    }

    /** The final response's head is complete. */
    void headEnd(long now) {
        Exchange current = exchange;
        if (current != null && current.headersNanos < 0) {
            current.headersNanos = now;
        }
        stream = head.status < 300 && head.eventStream;
        if (!head.encoding.isEmpty()) {
            fail(FailureClass.MALFORMED, "Content-Encoding " + head.encoding + ", which was not asked for");
        }
    }

    /** Reads a part of the body that arrived at {@code now}. */
    void content(byte[] bytes, int from, int to, long now) {
        if (done) {
            return;
        }
        if (!stream) {
            body.append(bytes, from, Math.min(to - from, Math.max(0, BODY_LIMIT - body.length)));
        } else if (sse.feed(bytes, from, to, now) && sse.tooLarge()) {
            fail(FailureClass.MALFORMED, "an event of more than 8 MiB");
        }
    }

    /** The response is over. */
    void end(long now) {
        if (head.status >= 400) {
            failStatus();
        } else if (head.status >= 300) {
            fail(FailureClass.MALFORMED, "HTTP " + head.status + ", a redirect, is not followed");
        } else if (!stream) {
            fail(FailureClass.MALFORMED,
                    "content type '" + head.contentType + "'; expected text/event-stream: "
                            + body.line(DETAIL_LIMIT));
        } else {
            sse.end(now);
            fail(FailureClass.TRUNCATED, "the stream ended without " + api.ending());
        }
    }

    private void failStatus() {
        String text = body.line(DETAIL_LIMIT);
        fail(head.status < 500 ? FailureClass.HTTP_4XX : FailureClass.HTTP_5XX,
                "HTTP " + head.status + (text.isEmpty() ? "" : ": " + text));
    }

    @Override
    public boolean event(byte[] data, int from, int size, boolean error, long now) {
        Exchange current = exchange;
        if (current == null || concluded()) {
            return false;
        }
        if (SseReader.isDone(data, from, size)) {
            finish(current);
            return false;
        }
        String kept = "";
        if (!scanner.scan(data, from, from + size)) {
            EventReader.Reading reading = EventReader.read(data, from, size, api.grammar(), found);
            if (!reading.read() && !error) {
                fail(FailureClass.MALFORMED, "an event that is no JSON object: " + preview(data, from, size));
                return false;
            }
            kept = reading.text();
        } else if (keepText && found.textLength > 0) {
            kept = unescaped(data, found.textStart, found.textLength);
        }
        if (error || found.hasError) {
            fail(FailureClass.ERROR_EVENT, preview(data, from, size));
            return false;
        }
        tokens(current, now);
        if (keepText && !kept.isEmpty() && !found.special) {
            keep(current, kept);
        }
        if (current.endless()) {
            fail(FailureClass.MALFORMED, "the stream goes on past " + current.events() + " events");
        } else if (found.ends) {
            finish(current);
        }
        return !concluded();
    }

    private void keep(Exchange current, String text) {
        StringBuilder all = current.text;
        if (api.cumulative() && text.startsWith(all.toString())) {
            all.setLength(0);
        }
        all.append(text);
        if (all.length() > TEXT_LIMIT) {
            fail(FailureClass.MALFORMED, "an answer of more than 16 Mi characters");
        }
    }

    private String unescaped(byte[] data, int from, int length) {
        String escaped = new String(data, from, length, StandardCharsets.UTF_8);
        if (escaped.indexOf('\\') < 0) {
            return escaped;
        }
        try {
            return Json.parse('"' + escaped + '"', "event").asText();
        } catch (AssayException e) {
            fail(FailureClass.MALFORMED, "a text that is no JSON string: " + Bytes.line(data, from, length,
                    DETAIL_LIMIT));
            return "";
        }
    }

    private void tokens(Exchange current, long now) {
        long total = found.completionTokens;
        if (found.promptTokens >= 0) {
            current.promptTokens = found.promptTokens;
        }
        if (found.cachedTokens >= 0) {
            current.cachedTokens = found.cachedTokens;
        }
        if (total >= 0) {
            current.usageTokens = total;
        }
        if (!found.mayCarry) {
            return;
        }
        if (found.hasAnswer && !found.special && current.firstAnswerNanos < 0) {
            current.firstAnswerNanos = now;
        }
        // Usage that first shows up behind plain events is the final one, not a running count.
        if (total > 0 && (current.continuous || current.events() == 0)) {
            current.continuous = true;
            if (total > current.countedTokens) {
                current.content(now, (int) Math.min(total - current.countedTokens, Integer.MAX_VALUE));
                current.countedTokens = total;
            }
        } else if (found.hasText) {
            current.content(now, 1);
            current.countedTokens++;
        }
    }

    private void finish(Exchange current) {
        if (current.events() == 0) {
            fail(FailureClass.EMPTY, current.usageTokens > 0
                    ? "no event carried a token, though the usage counts " + current.usageTokens
                    : "the response holds no token");
        } else {
            done = true;
        }
    }

    private static String preview(byte[] data, int from, int size) {
        return Bytes.line(data, from, size, DETAIL_LIMIT);
    }
}
