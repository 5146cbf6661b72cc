package dev.assay.workload;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;

/**
 * Rows of the Qwen-Bailian usage traces (ATC'25, alibaba-edu/qwen-bailian-usagetraces-anon): JSON objects with
 * {@code chat_id}, {@code parent_chat_id} (−1 for the first of a conversation), {@code timestamp} in seconds,
 * {@code input_length}, {@code output_length}, {@code type}, {@code turn} and {@code hash_ids}, a number for each 16
 * tokens of the prompt. When an answer ended is not recorded, so thinking counts from the request before.
 */
record BailianRows() implements TraceRows {
    static final int BLOCK_TOKENS = 16;
    private static final double SECOND = 1e9;

    @Override
    public int blockTokens() {
        return BLOCK_TOKENS;
    }

    @Override
    public Raw row(String line, String place) {
        JsonValue.Obj row = Json.parse(line, place).asObject();
        long nanos = TraceRows.nanos(row.require("timestamp").asDouble(), SECOND, "timestamp", place);
        long parent = row.require("parent_chat_id").asLong();
        return new Raw(nanos, nanos, TraceRows.tokens(row, "input_length", place),
                TraceRows.tokens(row, "output_length", place), TraceRows.blocks(row, place),
                Long.toString(row.require("chat_id").asLong()), parent < 0 ? "" : Long.toString(parent));
    }
}
