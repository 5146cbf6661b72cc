package dev.assay.workload;

import java.util.Arrays;
import java.util.List;

/**
 * Which rows of a trace begin a conversation and which follow which.
 *
 * @param heads rows that begin one, in their order
 * @param following for each row the one that follows it, −1 for none; empty where no row follows another
 */
record TraceIndex(int[] heads, int[] following) {
    static final TraceIndex NONE = new TraceIndex(new int[0], new int[0]);

    static TraceIndex of(Trace trace) {
        List<Trace.Row> rows = trace.rows();
        int[] following = new int[rows.size()];
        Arrays.fill(following, -1);
        int[] heads = new int[rows.size()];
        int n = 0;
        for (int i = 0; i < rows.size(); i++) {
            int before = rows.get(i).after().orElse(-1);
            // A second row after the same one, or one whose context shrank, begins a conversation with its whole prompt.
            if (before >= 0 && following[before] < 0
                    && rows.get(i).inputTokens() > rows.get(before).inputTokens()) {
                following[before] = i;
            } else {
                heads[n++] = i;
            }
        }
        return new TraceIndex(Arrays.copyOf(heads, n), n == rows.size() ? new int[0] : following);
    }

    /** The row that follows, −1 for none. */
    int after(int row) {
        return following.length == 0 ? -1 : following[row];
    }
}
