package dev.assay.load;

/** One exchange on its way by HTTP/2: first it waits for its connection, then it is a stream of it. */
final class Call {
    final Exchange exchange;
    final AnswerReader reader;
    final SessionConnection connection;
    /** Whether it was sent on a connection that had been at rest since an earlier call. */
    final boolean afterRest;
    /** Whether its outcome waits to be told, or was told. */
    boolean concluded;
    /** Whether its stream is over. */
    boolean ended;
    /** Bytes behind the end of the answer. */
    long surplus;

    Call(Exchange exchange, AnswerReader reader, SessionConnection connection, boolean afterRest) {
        this.exchange = exchange;
        this.reader = reader;
        this.connection = connection;
        this.afterRest = afterRest;
        exchange.call = this;
        reader.begin(exchange);
    }
}
