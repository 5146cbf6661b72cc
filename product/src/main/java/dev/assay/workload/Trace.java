package dev.assay.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A recorded request trace: arrival, input and output length of each request, and where the trace has them the hashed
 * blocks of its prompt and the request whose answer it follows.
 *
 * <p>Read line by line, the format told by the first line: Azure LLM inference traces of 2023 and 2024
 * ({@link AzureRows}), Mooncake ({@link MooncakeRows}), BurstGPT ({@link BurstGptRows}) and Qwen-Bailian
 * ({@link BailianRows}). A fault names the file, the line, the field and what was expected. Rows without an input or
 * output token are left out, as no request can be made of them (BurstGPT marks failed requests so). Rows whose times go
 * backwards are sorted, those of one time keep their order: the public files are merged from several servers.
 *
 * @param rows by arrival, at least one
 * @param blockTokens tokens of a hashed block, 0 where the format has none
 */
public record Trace(String name, List<Row> rows, int blockTokens) {
    /** More tokens in one request than any server takes. */
    static final int MOST_TOKENS = 10_000_000;

    public Trace {
        rows = List.copyOf(rows);
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("the trace has no usable row; expected at least one");
        }
    }

    /**
     * One request of a trace.
     *
     * @param arrivalNanos from the first row
     * @param inputTokens of the whole prompt, earlier turns included
     * @param blocks the hashed blocks of the prompt, none where the trace has none
     * @param after the earlier row of the same conversation that it follows
     * @param thinkNanos from the end of that one's answer where the trace has it, else from its arrival
     */
    public record Row(long arrivalNanos, int inputTokens, int outputTokens, HashIds blocks, OptionalInt after,
            long thinkNanos) {
        /** A request on its own. */
        public Row(long arrivalNanos, int inputTokens, int outputTokens) {
            this(arrivalNanos, inputTokens, outputTokens, HashIds.NONE, OptionalInt.empty(), 0);
        }
    }

    /** The trace in {@code file}. */
    public static Trace read(Path file) {
        try (RawTrace in = RawTrace.open(file, RawTrace.WORKLOAD)) {
            List<TraceRows.Raw> raw = new ArrayList<>();
            for (Optional<RawTrace.Numbered> row = in.next(); row.isPresent(); row = in.next()) {
                raw.add(row.get().row());
            }
            if (raw.isEmpty()) {
                throw in.empty();
            }
            return new Trace(String.valueOf(file.getFileName()), linked(raw), in.format().blockTokens());
        }
    }

    /** Rows by time, counted from the first, each with the one it follows. */
    private static List<Row> linked(List<TraceRows.Raw> raw) {
        raw.sort(Comparator.comparingLong(TraceRows.Raw::nanos));
        Map<String, Integer> lastOf = new HashMap<>();
        List<Row> rows = new ArrayList<>(raw.size());
        for (TraceRows.Raw r : raw) {
            Integer before = r.follows().isEmpty() ? null : lastOf.get(r.follows());
            OptionalInt after = before == null ? OptionalInt.empty() : OptionalInt.of(before);
            long think = before == null ? 0 : Math.max(0, r.nanos() - raw.get(before).endNanos());
            rows.add(new Row(r.nanos() - raw.getFirst().nanos(), r.input(), r.output(), r.blocks(), after,
                    think));
            if (!r.key().isEmpty()) {
                lastOf.put(r.key(), rows.size() - 1);
            }
        }
        return rows;
    }
}
