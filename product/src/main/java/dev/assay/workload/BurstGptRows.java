package dev.assay.workload;

import java.util.List;

/**
 * Rows of BurstGPT (HPMLL/BurstGPT): {@code Timestamp} in seconds, {@code Model}, {@code Request tokens},
 * {@code Response tokens}, {@code Total tokens}, {@code Log Type}; later files have {@code Session ID} and
 * {@code Elapsed time} (seconds to the answer's end) as well. Rows of one session are the turns of a conversation.
 * A failed request has 0 response tokens.
 */
record BurstGptRows(Columns columns) implements TraceRows {
    static final String TIME = "Timestamp";
    static final String INPUT = "Request tokens";
    static final String OUTPUT = "Response tokens";
    static final String HEADER = TIME + ",Model," + INPUT + "," + OUTPUT + ",Total tokens,Log Type";
    private static final String SESSION = "Session ID";
    private static final String ELAPSED = "Elapsed time";
    private static final double SECOND = 1e9;

    @Override
    public boolean header() {
        return true;
    }

    @Override
    public Raw row(String line, String place) {
        List<String> cells = columns.read(line, place);
        long nanos = TraceRows.nanos(columns.number(cells, TIME, place), SECOND, TIME, place);
        String session = columns.has(SESSION) ? columns.text(cells, SESSION, place) : "";
        boolean timed = columns.has(ELAPSED) && !columns.text(cells, ELAPSED, place).isEmpty();
        long elapsed = timed
                ? TraceRows.nanos(columns.number(cells, ELAPSED, place), SECOND, ELAPSED, place)
                : 0;
        return new Raw(nanos, nanos + elapsed, columns.tokens(cells, INPUT, place),
                columns.tokens(cells, OUTPUT, place), HashIds.NONE, session, session);
    }
}
