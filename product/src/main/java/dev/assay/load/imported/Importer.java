package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads result files of every load generator that is understood; what a file is, its content tells and never its name.
 *
 * <p>JSON is read as a stream and the answers' texts in it are passed over, so files of hundreds of megabytes are fine.
 * Plain text (tables and logs) is read whole, up to 64 MiB.
 */
public final class Importer {
    /** The largest text, and the largest standard input, in bytes. */
    public static final int MOST_TEXT = 64 << 20;

    /** Fields that hold answers, prompts or histograms in one format or another, and nothing that is read. */
    private static final Set<String> SKIPPED = Set.of("generated_texts", "response_chunks", "response",
            "request",
            "output", "reasoning_output", "request_args", "pdf", "histogram", "traceback", "tool_calls",
            "data",
            "server_info", "cache_report", "output_token_times", "percentile_cis");

    private static final List<JsonFormat> FORMATS = List.of(new VllmFormat(), new SglangFormat(),
            new AiperfFormat(),
            new AiperfRecordsFormat(), new GuidellmFormat(), new InferencePerfFormat(),
            new InferencePerfRequestsFormat(), new EndpointsFormat(), new EndpointsEventsFormat(),
            new AssaySummaryFormat(), new LlmdFormat(), new InferencexFormat());

    /** What is understood, for messages and help. */
    public static final String UNDERSTOOD = "vllm bench serve, SGLang, AIPerf, GuideLLM, inference-perf, MLPerf LoadGen,"
            + " MLCommons endpoints, llm-d, InferenceX or Assay";

    private Importer() {}

    /** The runs in a file: at least one. */
    public static List<ImportedRun> read(Path file) {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file))) {
            if (isParquet(bytes)) {
                return List.of(AssayRequests.read(file, file.toString()));
            }
            return read(bytes, file.toString());
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(file + ": no such file");
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The runs in bytes, for example from standard input; {@code source} names them. At most {@link #MOST_TEXT}. */
    public static List<ImportedRun> read(byte[] bytes, String source) {
        try (InputStream stream = new ByteArrayInputStream(bytes)) {
            return read(stream, source);
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory can be read", e);
        }
    }

    private static boolean isParquet(InputStream bytes) throws IOException {
        bytes.mark(4);
        boolean parquet = new String(bytes.readNBytes(4), StandardCharsets.ISO_8859_1).equals("PAR1");
        bytes.reset();
        return parquet;
    }

    private static List<ImportedRun> read(InputStream bytes, String source) throws IOException {
        try {
            return looksLikeJson(bytes) ? json(bytes, source) : text(bytes, source);
        } catch (OutOfMemoryError e) {
            throw AssayException
                    .environment(source + ": its requests do not fit in memory; give the result without"
                            + " them (for vLLM: without --save-detailed)");
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse(source + ": " + e.getMessage());
        }
    }

    /** A brace, or a bracket before a brace: a pasted text may begin with a bracket too. */
    private static boolean looksLikeJson(InputStream bytes) throws IOException {
        bytes.mark(4096);
        String head = new String(bytes.readNBytes(4096), StandardCharsets.UTF_8).strip();
        bytes.reset();
        String start = head.startsWith("\uFEFF") ? head.substring(1).strip() : head;
        return start.startsWith("{") || start.matches("(?s)\\[\\s*([\\[{\\]].*)?");
    }

    private static List<ImportedRun> json(InputStream bytes, String source) {
        try (JsonStream documents = JsonStream.of(bytes, source, SKIPPED)) {
            Optional<JsonValue> first = documents.next();
            if (first.isEmpty()) {
                throw AssayException.misuse(source + ": expected a result, found nothing");
            }
            for (JsonFormat format : FORMATS) {
                if (format.accepts(first.get())) {
                    List<ImportedRun> runs = format.read(first.get(), documents, source);
                    if (runs.isEmpty()) {
                        throw AssayException.misuse(source + ": expected at least one run, found none");
                    }
                    return runs;
                }
            }
            throw unknown(source);
        }
    }

    private static List<ImportedRun> text(InputStream bytes, String source) throws IOException {
        byte[] all = bytes.readNBytes(MOST_TEXT + 1);
        if (all.length > MOST_TEXT) {
            throw AssayException.misuse(
                    source + ": more than " + (MOST_TEXT >> 20) + " MiB of text; expected a result of "
                            + UNDERSTOOD);
        }
        String text = decoded(all, source);
        if (text.contains(ConsoleBlocks.MARKER)) {
            List<ImportedRun> blocks = ConsoleBlocks.read(text, source);
            if (!blocks.isEmpty()) {
                return blocks;
            }
        }
        if (text.contains(MlperfText.DETAIL)) {
            return List.of(MlperfText.detail(text, source));
        }
        if (text.contains(MlperfText.SUMMARY)) {
            return List.of(MlperfText.summary(text, source));
        }
        if (text.startsWith(AiperfCsv.HEADER)) {
            return List.of(AiperfCsv.read(text, source));
        }
        if (text.contains("request_performance:")) {
            // YAML's infinity is no number that is kept; llm-d writes it for a load without a cap.
            JsonValue report = Json.parseYaml(text.replaceAll("(?m):[ \\t]+\\.inf[ \\t]*$", ": inf"), source);
            if (new LlmdFormat().accepts(report)) {
                return List.of(LlmdFormat.run(report, source));
            }
        }
        throw unknown(source);
    }

    private static String decoded(byte[] bytes, String source) {
        try {
            return StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                    .decode(java.nio.ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw AssayException.misuse(source + ": expected text in UTF-8, found other bytes");
        }
    }

    private static AssayException unknown(String source) {
        return AssayException
                .misuse(source + ": not a result that is understood; expected one of " + UNDERSTOOD
                        + " (see docs/compare.md)");
    }
}
