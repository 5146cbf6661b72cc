package dev.assay.workload;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;

/**
 * Rows of Mooncake's traces (FAST'25, kvcache-ai/Mooncake): JSON objects with {@code timestamp} in milliseconds,
 * {@code input_length}, {@code output_length} and {@code hash_ids}, a number for each 512 tokens of the prompt.
 */
record MooncakeRows() implements TraceRows {
    static final int BLOCK_TOKENS = 512;
    private static final double MILLI = 1e6;

    @Override
    public int blockTokens() {
        return BLOCK_TOKENS;
    }

    @Override
    public Raw row(String line, String place) {
        JsonValue.Obj row = Json.parse(line, place).asObject();
        return Raw.single(
                TraceRows.nanos(row.require("timestamp").asDouble(), MILLI, "timestamp", place),
                TraceRows.tokens(row, "input_length", place), TraceRows.tokens(row, "output_length", place),
                TraceRows.blocks(row, place));
    }
}
