package dev.assay.workload;

/** Why a request failed; its name in files is the constant in lower case. */
public enum FailureClass {
    /** No connection could be made. */
    REFUSED,
    /** The connection broke before the response ended. */
    RESET,
    /** The time limit passed. */
    TIMEOUT,
    /** The server answered 4xx. */
    HTTP_4XX,
    /** The server answered 5xx. */
    HTTP_5XX,
    /** An error came as an event inside the stream. */
    ERROR_EVENT,
    /** The response could not be read: bad framing, JSON or content type. */
    MALFORMED,
    /** The stream ended without its terminator. */
    TRUNCATED,
    /** The response ended well but held no token. */
    EMPTY,
    /** The client gave it up, for example at the end of the run. */
    CANCELLED
}
