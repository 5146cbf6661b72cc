package dev.assay.load.imported;

import java.util.Locale;

/**
 * What a number was computed from: the identity of a metric. Two numbers compare only where this is the same. Where each
 * tool's clocks start and stop was read in its source at the versions that {@code docs/compare.md} names.
 */
public enum Formula {
    TTFT_CONTENT_SCHEDULED(Family.TTFT, "first content - scheduled arrival"), TTFT_CONTENT_SENT(Family.TTFT,
            "first content - sent"), TTFT_CONTENT_CONNECT(Family.TTFT,
                    "first content - sent, with a new connection set up inside"), TTFT_CHUNK_SENT(Family.TTFT,
                            "first chunk with choices, also one without text - sent"), TTFT_VLLM_UNSTATED(
                                    Family.TTFT,
                                    "first chunk (chat) or first content (completions) - sent; the file does not say which"), TTFT_SUT_SCHEDULED(
                                            Family.TTFT,
                                            "first token as the system under test declares it - scheduled"), TTFT_CONTENT_ISSUED(
                                                    Family.TTFT,
                                                    "first content - issued to the client's worker"), TTFT_UNSTATED(
                                                            Family.TTFT, "not stated by the file"),

    TPOT_AFTER_FIRST_CHUNK(Family.TPOT,
            "(last content - first content) / (tokens after the first chunk)"), TPOT_CONTENT(Family.TPOT,
                    "(last content - first content) / (tokens - 1)"), TPOT_CHOICES(Family.TPOT,
                            "(last chunk with choices - first) / (tokens - 1)"), TPOT_STREAM_END(Family.TPOT,
                                    "(end of the stream, usage chunk included - first content) / (tokens - 1)"), TPOT_TOKEN_WEIGHTED(
                                            Family.TPOT,
                                            "(last content - first content) / (tokens - 1), each request weighted by its tokens"), TPOT_SUT(
                                                    Family.TPOT,
                                                    "(query complete - first token) / (tokens - 1) as the system under test declares them"), TPOT_ISSUED(
                                                            Family.TPOT,
                                                            "(final event - first content) / (tokens after the first chunk, client's tokenizer)"), TPOT_UNSTATED(
                                                                    Family.TPOT, "not stated by the file"),

    NTPOT_CONTENT_WEIGHTED(Family.NTPOT,
            "(last content - sent) / tokens, first token's wait included, each request weighted by its tokens"), NTPOT_CONTENT(
                    Family.NTPOT,
                    "(last content - sent) / tokens, first token's wait included"), NTPOT_PROCESS(
                            Family.NTPOT,
                            "(end of processing - sent) / tokens, first token's wait included"), NTPOT_UNSTATED(
                                    Family.NTPOT, "not stated by the file"),

    ITL_PER_TOKEN(Family.ITL, "gap before a chunk / its tokens, once for each of them, pooled"), ITL_CHUNKS(
            Family.ITL, "gaps between chunks, pooled over requests"), ITL_CHUNK_OVER_TOKENS(Family.ITL,
                    "gap before a chunk / its tokens, pooled"), ITL_ZERO_GAPS(Family.ITL,
                            "gaps between tokens, 0 for tokens of one chunk, pooled"), ITL_UNSTATED(
                                    Family.ITL, "not stated by the file"),

    E2E_CONTENT_SCHEDULED(Family.E2E, "last content - scheduled arrival"), E2E_CONTENT_SENT(Family.E2E,
            "last content - sent"), E2E_CONTENT_CREDIT(Family.E2E,
                    "last content - credit issued by the client's timer"), E2E_CHOICES_SENT(Family.E2E,
                            "last chunk with choices - sent"), E2E_STREAM_SENT(Family.E2E,
                                    "last line of the stream, usage chunk included - sent"), E2E_SOCKET_SENT(
                                            Family.E2E,
                                            "end of the response - sent"), E2E_PROCESS_SENT(Family.E2E,
                                                    "end of the client's processing - sent"), E2E_SUT_SCHEDULED(
                                                            Family.E2E,
                                                            "query complete as the system under test declares it - scheduled"), E2E_ISSUED(
                                                                    Family.E2E,
                                                                    "final event - issued to the client's worker"), E2E_UNSTATED(
                                                                            Family.E2E,
                                                                            "not stated by the file"),

    REQUESTS_OVER_WINDOW(Family.REQUEST_RATE, "completed requests / whole duration"), REQUESTS_LOADGEN(
            Family.REQUEST_RATE, "completed samples / second as LoadGen counts them"), REQUESTS_UNSTATED(
                    Family.REQUEST_RATE, "not stated by the file"),

    OUTPUT_OVER_WINDOW(Family.OUTPUT_RATE,
            "output tokens of completed requests / whole duration"), OUTPUT_LOADGEN(Family.OUTPUT_RATE,
                    "tokens / second as LoadGen counts them"), OUTPUT_UNSTATED(Family.OUTPUT_RATE,
                            "not stated by the file"),

    GOOD_PER_SECOND(Family.GOODPUT, "requests within the SLO / whole duration"), GOOD_OF_ATTEMPTED(
            Family.GOOD_SHARE,
            "requests within the SLO / all attempted, failures included"), GOOD_OF_COMPLETED(
                    Family.GOOD_SHARE, "requests within the SLO / completed ones, failures left out");

    private final Family family;
    private final String text;

    Formula(Family family, String text) {
        this.family = family;
        this.text = text;
    }

    /** The name that people use for it. */
    public Family family() {
        return family;
    }

    /** The formula in words. */
    public String text() {
        return text;
    }

    /** The constant in lower case, as files name it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the file leaves the formula open, so that it compares only with itself in files of the same tool. */
    public boolean unstated() {
        return name().endsWith("_UNSTATED");
    }

    /** Whether the clock starts when a request is sent, so that a client's backlog is hidden. */
    public boolean fromSent() {
        return family == Family.TTFT && this != TTFT_CONTENT_SCHEDULED && this != TTFT_SUT_SCHEDULED
                || family == Family.E2E && this != E2E_CONTENT_SCHEDULED && this != E2E_SUT_SCHEDULED;
    }
}
