package dev.assay.workload;

import dev.assay.AssayException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Rows of Azure's LLM inference traces (AzurePublicDataset): 2023 with times such as
 * {@code 2023-11-16 18:17:03.9799600}, 2024 with an offset, {@code 2024-05-12 00:00:00.009930+00:00}.
 */
record AzureRows(Columns columns) implements TraceRows {
    static final String TIME = "TIMESTAMP";
    static final String INPUT = "ContextTokens";
    static final String OUTPUT = "GeneratedTokens";
    static final String HEADER = TIME + "," + INPUT + "," + OUTPUT;

    private static final OffsetDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0).atOffset(ZoneOffset.UTC);

    @Override
    public boolean header() {
        return true;
    }

    @Override
    public Raw row(String line, String place) {
        List<String> cells = columns.read(line, place);
        return Raw.single(nanos(columns.text(cells, TIME, place), place),
                columns.tokens(cells, INPUT, place), columns.tokens(cells, OUTPUT, place), HashIds.NONE);
    }

    private static long nanos(String text, String place) {
        String iso = text.replace(' ', 'T');
        try {
            boolean zoned = iso.endsWith("Z") || iso.lastIndexOf('+') > 10 || iso.lastIndexOf('-') > 10;
            return ChronoUnit.NANOS.between(EPOCH, zoned
                    ? OffsetDateTime.parse(iso)
                    : LocalDateTime.parse(iso).atOffset(ZoneOffset.UTC));
        } catch (DateTimeParseException | ArithmeticException e) {
            throw AssayException.misuse(place + ": field '" + TIME
                    + "': expected a time such as 2023-11-16 18:17:03.97, found '" + text + "'");
        }
    }
}
