package dev.assay.workload;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.List;

/** Reads the rows of one trace format. */
interface TraceRows {
    /**
     * A row as it stands in the file.
     *
     * @param nanos when it arrived, from any origin
     * @param endNanos when its answer ended, else its arrival
     * @param key the name by which a later row says that it follows this one; empty where nothing can
     * @param follows the key of the row before it in its conversation; empty where there is none
     */
    record Raw(long nanos, long endNanos, int input, int output, HashIds blocks, String key, String follows) {
        public Raw {
            if (endNanos < nanos) {
                throw new IllegalArgumentException("a request ends before it begins");
            }
        }

        static Raw single(long nanos, int input, int output, HashIds blocks) {
            return new Raw(nanos, nanos, input, output, blocks, "", "");
        }
    }

    /** One row; {@code place} is the file and line for messages. */
    Raw row(String line, String place);

    /** Whether the first line is a header. */
    default boolean header() {
        return false;
    }

    /** Tokens of a hashed block, 0 where the format has none. */
    default int blockTokens() {
        return 0;
    }

    /** The format whose first line this is. */
    static TraceRows of(String first, String place) {
        String line = first.startsWith("\uFEFF") ? first.substring(1).strip() : first.strip();
        if (line.startsWith("{")) {
            return Json.parse(line, place).asObject().get("chat_id").isPresent()
                    ? new BailianRows()
                    : new MooncakeRows();
        }
        if (line.contains(AzureRows.TIME) && line.contains(AzureRows.INPUT)) {
            return new AzureRows(Columns.of(line, place));
        }
        if (line.contains(BurstGptRows.INPUT)) {
            return new BurstGptRows(Columns.of(line, place));
        }
        throw AssayException.misuse(place + ": expected the header " + AzureRows.HEADER + " (Azure), "
                + BurstGptRows.HEADER + " (BurstGPT) or a JSON object (Mooncake, Qwen-Bailian), found '"
                + (line.length() > 60 ? line.substring(0, 60) + "…" : line) + "'");
    }

    /** A token count of a JSON row. */
    static int tokens(JsonValue.Obj row, String field, String place) {
        return tokens(row.require(field).asLong(), field, place);
    }

    /** A token count in its bounds. */
    static int tokens(long count, String field, String place) {
        if (count < 0 || count > Trace.MOST_TOKENS) {
            throw AssayException.misuse(place + ": field '" + field + "': expected 0 to " + Trace.MOST_TOKENS
                    + " tokens, found " + count);
        }
        return (int) count;
    }

    /** A time of a JSON row or cell, not negative, in nanoseconds. */
    static long nanos(double time, double unitNanos, String field, String place) {
        if (!(time >= 0) || time * unitNanos > Long.MAX_VALUE / 4.0) {
            throw AssayException
                    .misuse(place + ": field '" + field + "': expected a time of 0 or more, found " + time);
        }
        return Math.round(time * unitNanos);
    }

    /** The hashed blocks of a JSON row; none where the field is absent. */
    static HashIds blocks(JsonValue.Obj row, String place) {
        if (row.get("hash_ids").isEmpty()) {
            return HashIds.NONE;
        }
        List<JsonValue> items = row.require("hash_ids").asList();
        int[] ids = new int[items.size()];
        for (int i = 0; i < ids.length; i++) {
            long id = items.get(i).asLong();
            if (id < 0 || id > Integer.MAX_VALUE) {
                throw AssayException.misuse(
                        place + ": field 'hash_ids': expected numbers from 0 below 2^31, found " + id);
            }
            ids[i] = (int) id;
        }
        return new HashIds(ids);
    }
}
