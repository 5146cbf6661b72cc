package dev.assay.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.function.Consumer;

/** What carries the exchanges of one run to the server and back; takes each key of the selector that is ready. */
interface Carriers extends Consumer<SelectionKey>, AutoCloseable {
    /** Makes the connections that the run begins with; waits for them a second at most. */
    void open() throws IOException;

    /** Sends the exchange as soon as there is a way. It is ended by a failure where there is none. */
    void carry(Exchange exchange) throws IOException;

    /** Ends an exchange whose time limit passed, and stops what carries it. */
    void giveUp(Exchange exchange, String text);

    /** Stops what carries an exchange that is over. */
    void abandon(Exchange exchange);

    /** How many connections were made so far. */
    int opened();

    @Override
    void close();
}
