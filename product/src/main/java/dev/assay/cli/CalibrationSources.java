package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.CalibrationRun;
import dev.assay.forecast.Evidence;
import dev.assay.forecast.EvidenceKind;
import dev.assay.forecast.LoadPoint;
import dev.assay.forecast.StepSample;
import dev.assay.json.Json;
import dev.assay.load.RequestLog;
import dev.assay.load.curve.CurveSlot;
import dev.assay.load.imported.ImportedRun;
import dev.assay.load.imported.Importer;
import dev.assay.load.imported.ResultSet;
import dev.assay.profile.DecodeSteps;
import dev.assay.profile.KinetoTrace;
import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.zip.GZIPInputStream;

/**
 * Reads what a forecast may be calibrated from; what a path is, its content tells and never its name.
 *
 * @param profileBatch rows of a profile's steps where it does not tell
 * @param profileContext tokens that each attends where it does not tell
 */
record CalibrationSources(Optional<Integer> profileBatch, Optional<Integer> profileContext) {
    private static final int HEAD = 1 << 18;

    /** The evidence at a path. */
    Evidence read(Path path) {
        try {
            if (Files.isDirectory(path)) {
                return directory(path);
            }
            if (!Files.isRegularFile(path)) {
                throw AssayException.misuse("--calibrate: no such file or directory: " + path
                        + "; expected a run, a curve, a result or a profile");
            }
            return file(path);
        } catch (IllegalArgumentException e) {
            throw AssayException.evidence(String.valueOf(e.getMessage()));
        }
    }

    private Evidence directory(Path path) {
        if (Files.isRegularFile(path.resolve("requests.parquet"))) {
            return run(path.resolve("requests.parquet"));
        }
        if (Files.isRegularFile(path.resolve("curve.json"))) {
            return curve(path.resolve("curve.json"));
        }
        if (Files.isDirectory(path.resolve("requests"))) {
            throw AssayException.misuse("--calibrate: no " + path.resolve("requests.parquet")
                    + "; expected a run of fewer than 200,000 requests");
        }
        ResultSet results = ResultSet.of(List.of(path));
        return BenchmarkPoints.of(results.runs());
    }

    private Evidence file(Path path) {
        String head = head(path);
        if (head.startsWith("PAR1")) {
            return run(path);
        }
        if (head.startsWith("SQLite format 3")) {
            throw AssayException.misuse(path + ": an Nsight Systems export (SQLite) is not read; expected a"
                    + " Kineto trace, or step times as a result of a load generator");
        }
        String start = head.stripLeading();
        if (start.startsWith("{") && head.contains("\"traceEvents\"")
                || start.startsWith("[") && head.contains("\"ph\"")) {
            return profile(path);
        }
        if (start.startsWith("{") && head.contains("\"slots\"") && head.contains("\"found\"")) {
            return curve(path);
        }
        List<ImportedRun> runs = Importer.read(path);
        return BenchmarkPoints.of(runs);
    }

    /** The file's first bytes, unpacked where it is gzipped, as text that only shows what it is. */
    private static String head(Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(HEAD);
            if (bytes.length > 2 && (bytes[0] & 0xff) == 0x1f && (bytes[1] & 0xff) == 0x8b) {
                try (InputStream unpacked = new GZIPInputStream(Files.newInputStream(path))) {
                    bytes = unpacked.readNBytes(HEAD);
                }
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw AssayException.environment(path + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static Evidence run(Path file) {
        List<RequestOutcome> outcomes = RequestLog.read(file);
        long[] arrivals = outcomes.stream().mapToLong(o -> o.request().arrivalNanos()).sorted().toArray();
        if (arrivals.length < 2 || arrivals[arrivals.length - 1] == arrivals[0]) {
            throw AssayException
                    .misuse(file + ": expected at least 2 requests that arrive at different times, found "
                            + arrivals.length);
        }
        double seconds = (arrivals[arrivals.length - 1] - arrivals[0]) / 1e9;
        CalibrationRun run = new CalibrationRun((arrivals.length - 1) / seconds, outcomes, Map.of());
        List<RequestOutcome> completed = outcomes.stream().filter(RequestOutcome::completed).toList();
        RunSummary summary = Metrics.summarize(outcomes, Slo.none(), Metrics.windowNanos(outcomes),
                List.of());
        if (summary.tpotMs().isEmpty()) {
            throw AssayException
                    .evidence(file + ": no request has a TPOT; expected answers of several tokens");
        }
        LoadPoint point = new LoadPoint(EvidenceKind.RUN, file.toString(),
                completed.stream().mapToDouble(o -> o.promptTokens().orElse(o.request().promptTokens()))
                        .average().orElse(0),
                completed.stream().mapToInt(RequestOutcome::outputTokens).average().orElse(0),
                OptionalDouble.empty(), run.offeredRps() * completed.size() / outcomes.size(),
                summary.tpotMs().get().p50(), true,
                summary.ttftMs().map(s -> OptionalDouble.of(s.p50())).orElse(OptionalDouble.empty()),
                completed.size());
        return new Evidence(List.of(run), List.of(point), List.of(), List.of());
    }

    private static Evidence curve(Path file) {
        CurveCommand.Document document = Json.readFile(file, CurveCommand.Document.class);
        List<LoadPoint> points = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        int left = 0;
        for (CurveSlot s : document.curve().slots()) {
            if (!s.valid() || s.summary().tpotMs().isEmpty()) {
                left++;
                continue;
            }
            CurveSlot.MeanTokens tokens = s.tokens()
                    .orElseThrow(() -> AssayException.misuse(file + ": slot " + s.number()
                            + " has no field 'tokens' (mean lengths); expected a curve of this version of Assay"));
            double served = s.summary().throughput().requestsPerS();
            points.add(new LoadPoint(EvidenceKind.CURVE, file + " slot " + s.number(), tokens.input(),
                    tokens.output(), OptionalDouble.empty(),
                    // What is served ends later than what is offered; only a queue that grew makes them differ.
                    s.saturated() ? Math.min(served, s.offeredRps()) : s.offeredRps(),
                    s.summary().tpotMs().get().p50(), true,
                    s.saturated() || s.summary().ttftMs().isEmpty()
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(s.summary().ttftMs().get().p50()),
                    s.summary().requests().completed()));
        }
        if (points.isEmpty()) {
            throw AssayException.evidence(file + ": none of its " + left + " slots is valid and has a TPOT");
        }
        if (left > 0) {
            notes.add(file + ": " + left + " slots that were not valid are left out");
        }
        return new Evidence(List.of(), points, List.of(), notes);
    }

    private Evidence profile(Path file) {
        List<StepSample> samples = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (DecodeSteps d : KinetoTrace.decodeSteps(file)) {
            int rows = d.rows().isPresent()
                    ? d.rows().getAsInt()
                    : profileBatch.orElseThrow(() -> AssayException.misuse(file
                            + ": the names of its steps do not tell their batch; expected --profile-batch"));
            double context = d.context().isPresent()
                    ? d.context().getAsDouble()
                    : profileContext.orElseThrow(() -> AssayException.misuse(file
                            + ": the names of its steps do not tell how long the sequences are; expected"
                            + " --profile-context"));
            if (d.rows().isEmpty() || rows > 0) {
                samples.add(new StepSample(file.toString(), rows, context, d.nanos(), d.steps(), d.whole()));
            }
            if (!d.whole()) {
                notes.add(file + ": no two steps of batch " + rows
                        + " follow each other: the time is that of the device's work in one, without what lies"
                        + " between steps");
            }
        }
        return new Evidence(List.of(), List.of(), samples, notes);
    }
}
