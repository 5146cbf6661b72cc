package dev.assay.profile;

import dev.assay.AssayException;
import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * A trace of PyTorch's profiler (Kineto JSON, gzipped or not), read for the steps of a serving engine.
 *
 * <p>A step is a range of the engine on the host (vLLM, SGLang, ProfilerStep); its work on the device is what the calls
 * within it launched, by their correlation ids, or the range that the profiler projected onto the device itself. Times in
 * the file are microseconds with decimals; epoch times in doubles resolve a quarter of one.
 */
public final class KinetoTrace {
    /** The largest file, uncompressed bytes are not bounded by it. */
    private static final long MOST_BYTES = 400L << 20;
    private static final Set<String> SKIPPED = Set.of("stack", "Input Dims", "Input type", "Input Strides",
            "Concrete Inputs", "kernel", "deviceProperties", "distributedInfo", "Sequence number",
            "Python parent id", "Python id", "Python module id");
    private static final Set<String> WORK = Set.of("kernel", "Kernel", "gpu_memcpy", "gpu_memset");
    private static final Set<String> CALLS = Set.of("cuda_runtime", "cuda_driver");

    private record Span(long start, long end, String thread, long correlation) {}

    private record Range(StepShape shape, Span host) {}

    private final List<Range> ranges = new ArrayList<>();
    private final List<Range> projected = new ArrayList<>();
    private final List<Span> calls = new ArrayList<>();
    private final List<Span> work = new ArrayList<>();
    private boolean stacks;

    private KinetoTrace() {}

    /** The decode steps of a trace by their batch. */
    public static List<DecodeSteps> decodeSteps(Path file) {
        KinetoTrace trace = new KinetoTrace();
        trace.read(file);
        List<ProfiledStep> steps = trace.steps(file.toString());
        return DecodeSteps.of(steps, trace.stacks, file.toString());
    }

    private void read(Path file) {
        try (InputStream in = opened(file);
                JsonStream documents = JsonStream.of(in, file.toString(), SKIPPED)) {
            if (Files.size(file) > MOST_BYTES) {
                throw AssayException.misuse(file + ": " + (Files.size(file) >> 20)
                        + " MiB; expected at most 400 (a profile of fewer steps)");
            }
            JsonValue document = documents.next()
                    .orElseThrow(() -> AssayException.misuse(file + ": expected a trace, found nothing"));
            JsonValue events = document instanceof JsonValue.Obj o
                    ? o.require("traceEvents")
                    : document;
            events.asList().forEach(this::event);
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(file + ": no such file");
        } catch (EOFException e) {
            throw AssayException.misuse(file + ": ends early; expected a whole trace");
        } catch (IOException | UncheckedIOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static InputStream opened(Path file) throws IOException {
        InputStream bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        bytes.mark(2);
        boolean zipped = bytes.read() == 0x1f && bytes.read() == 0x8b;
        bytes.reset();
        return zipped ? new GZIPInputStream(bytes, 1 << 16) : bytes;
    }

    private void event(JsonValue value) {
        if (!(value instanceof JsonValue.Obj e) || !text(e, "ph").orElse("").equals("X")) {
            return;
        }
        String category = text(e, "cat").orElse("");
        stacks |= category.equals("python_function");
        Optional<StepShape> shape = category.endsWith("user_annotation")
                ? text(e, "name").flatMap(StepShape::of)
                : Optional.empty();
        if (shape.isEmpty() && !WORK.contains(category) && !CALLS.contains(category)) {
            return;
        }
        Span span = span(e);
        if (span.end() <= span.start()) {
            return;
        }
        if (shape.isPresent()) {
            (category.equals("gpu_user_annotation") ? projected : ranges).add(new Range(shape.get(), span));
        } else {
            (CALLS.contains(category) ? calls : work).add(span);
        }
    }

    private static Span span(JsonValue.Obj e) {
        long start = nanos(e, "ts");
        OptionalLong correlation = e.get("args").filter(JsonValue.Obj.class::isInstance)
                .flatMap(a -> a.asObject().get("correlation"))
                .filter(JsonValue.Int.class::isInstance).map(c -> OptionalLong.of(c.asLong()))
                .orElse(OptionalLong.empty());
        return new Span(start, start + nanos(e, "dur"),
                text(e, "pid").orElse("") + "/" + text(e, "tid").orElse(""), correlation.orElse(-1));
    }

    private static long nanos(JsonValue.Obj e, String name) {
        return Math.round(1000 * switch (e.get(name).orElseGet(() -> new JsonValue.Null(e.at()))) {
            case JsonValue.Int i -> (double) i.value();
            case JsonValue.Real r -> r.value();
            case JsonValue.Str s -> number(s.value()).orElse(-1);
            case JsonValue.Obj _,JsonValue.Arr _,JsonValue.Bool _,JsonValue.Null _ -> 0.0;
        });
    }

    private static OptionalDouble number(String text) {
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private static Optional<String> text(JsonValue.Obj e, String name) {
        return e.get(name).flatMap(v -> switch (v) {
            case JsonValue.Str s -> Optional.of(s.value());
            case JsonValue.Int i -> Optional.of(Long.toString(i.value()));
            case JsonValue.Real r -> Optional.of(Double.toString(r.value()));
            case JsonValue.Obj _,JsonValue.Arr _,JsonValue.Bool _,JsonValue.Null _ -> Optional.empty();
        });
    }

    private List<ProfiledStep> steps(String source) {
        if (ranges.isEmpty() && projected.isEmpty()) {
            throw AssayException
                    .evidence(source + ": no range of a step; expected vLLM's execute_..., SGLang's"
                            + " step[...] or ProfilerStep#N, without which steps cannot be told apart");
        }
        if (work.isEmpty()) {
            throw AssayException.evidence(source
                    + ": no kernel; expected a profile with the device's activity (a step's time is not the host's)");
        }
        work.sort(Comparator.comparingLong(Span::start));
        List<ProfiledStep> steps = new ArrayList<>();
        List<Range> of = best(projected.isEmpty() ? ranges : projected);
        for (Range r : of) {
            List<Span> own = projected.isEmpty() ? launched(r) : within(r);
            if (!own.isEmpty()) {
                long end = own.stream().mapToLong(Span::end).max().orElseThrow();
                steps.add(new ProfiledStep(r.shape(), own.getFirst().start(), end, busy(own)));
            }
        }
        if (steps.isEmpty()) {
            throw AssayException.evidence(source + ": no kernel belongs to any of the " + of.size()
                    + " ranges of steps; expected correlation ids of what they launched");
        }
        steps.sort(Comparator.comparingLong(ProfiledStep::startNanos));
        return steps;
    }

    /** Of ranges within each other only those whose names tell most. */
    private static List<Range> best(List<Range> all) {
        int most = all.stream().mapToInt(r -> r.shape().detail()).max().orElse(0);
        String name = all.stream().filter(r -> r.shape().detail() == most).findFirst().orElseThrow().shape()
                .name();
        return all.stream().filter(r -> r.shape().name().equals(name)).toList();
    }

    private List<Span> launched(Range range) {
        Set<Long> ids = new HashSet<>();
        for (Span c : calls) {
            if (c.thread().equals(range.host().thread()) && c.start() >= range.host().start()
                    && c.start() < range.host().end()) {
                ids.add(c.correlation());
            }
        }
        ids.remove(-1L);
        return busiest(work.stream().filter(w -> ids.contains(w.correlation())).toList());
    }

    private List<Span> within(Range range) {
        return busiest(work.stream().filter(w -> w.end() > range.host().start()
                && w.start() < range.host().end()).toList());
    }

    /** The work on the device that has most of it: a host that drives several waits for the slowest. */
    private static List<Span> busiest(List<Span> all) {
        Map<String, List<Span>> byDevice = new HashMap<>();
        all.forEach(w -> byDevice
                .computeIfAbsent(w.thread().replaceFirst("/.*", ""), _ -> new ArrayList<>()).add(w));
        return byDevice.values().stream().max(Comparator.comparingLong(KinetoTrace::busy)).orElse(List.of());
    }

    /** Time in which any of these runs; they are in order of their begin. */
    private static long busy(List<Span> spans) {
        long busy = 0;
        long until = Long.MIN_VALUE;
        for (Span s : spans) {
            busy += Math.max(0, s.end() - Math.max(s.start(), until));
            until = Math.max(until, s.end());
        }
        return busy;
    }
}
