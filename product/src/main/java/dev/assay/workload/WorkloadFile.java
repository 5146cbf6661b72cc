package dev.assay.workload;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import dev.assay.workload.WorkloadSpec.Content;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A workload as its file states it (YAML or JSON, format 1; docs/workloads.md): either classes of drawn requests, or a
 * trace. Lengths, turns and pauses are texts as on the command line, or plain numbers.
 *
 * @param assayWorkload the format's version, 1
 * @param trace a trace's path, from the file's folder, instead of {@code classes}
 * @param turns at most so many turns of a recorded conversation
 * @param thinkTime the pause before a later turn of a recorded conversation, in seconds
 */
record WorkloadFile(int assayWorkload, Optional<String> name, Optional<Timing> arrivals,
        Optional<Map<String, Prefix>> prefixes, Optional<List<Kind>> classes, Optional<String> trace,
        Optional<JsonValue> turns, Optional<JsonValue> thinkTime) {
    private static final int FORMAT = 1;
    private static final double NANOS = 1e9;

    WorkloadFile {
        if (assayWorkload != FORMAT) {
            throw new IllegalArgumentException(
                    "field 'assay_workload' is " + assayWorkload + "; expected format " + FORMAT);
        }
        if (classes.isPresent() == trace.isPresent()) {
            throw new IllegalArgumentException("expected either 'classes' or 'trace'");
        }
        if (classes.isPresent() && (turns.isPresent() || thinkTime.isPresent())) {
            throw new IllegalArgumentException(
                    "'turns' and 'think_time' of drawn requests stand in each class");
        }
    }

    /** What the arrivals' kinds are called. */
    enum ArrivalKind {
        POISSON, GAMMA, CONSTANT, RAMP, CLOSED, TRACE
    }

    /** How requests arrive; which fields a kind needs is in the docs. */
    record Timing(ArrivalKind kind, OptionalDouble rate, OptionalDouble burstiness, OptionalDouble rampTo,
            OptionalDouble rampSeconds, OptionalDouble speed, Optional<Integer> concurrency,
            Optional<JsonValue> thinkTime) {
        Arrivals arrivals() {
            return switch (kind) {
                case POISSON -> new Arrivals.Poisson(need("rate", rate));
                case GAMMA -> new Arrivals.Gamma(need("rate", rate), need("burstiness", burstiness));
                case CONSTANT -> new Arrivals.Constant(need("rate", rate));
                case RAMP -> new Arrivals.Ramp(need("rate", rate), need("ramp_to", rampTo),
                        Math.round(need("ramp_seconds", rampSeconds) * NANOS));
                case CLOSED -> new Arrivals.ClosedLoop(
                        concurrency.orElseThrow(
                                () -> new IllegalArgumentException("'concurrency' is missing for closed")),
                        thinkTime.map(WorkloadFile::pause).orElse(Pause.none()));
                case TRACE -> new Arrivals.Replay(speed.orElse(1));
            };
        }

        private double need(String field, OptionalDouble value) {
            return value.orElseThrow(() -> new IllegalArgumentException(
                    "'" + field + "' is missing for " + kind.name().toLowerCase(java.util.Locale.ROOT)));
        }
    }

    /** Groups of prompts that begin alike. */
    record Prefix(int groups, JsonValue tokens) {}

    /** One class of the mix. */
    record Kind(String name, OptionalDouble weight, JsonValue inputTokens, JsonValue outputTokens,
            Optional<String> prefix, Optional<JsonValue> turns, Optional<JsonValue> thinkTime,
            Optional<Slo> slo) {}

    /** What the file describes; {@code path} is where it lies. */
    WorkloadSpec spec(Path path) {
        try {
            WorkloadSpec spec = classes.isPresent() ? mixed(path) : traced(path);
            return arrivals.isPresent() ? spec.withArrivals(arrivals.get().arrivals()) : spec;
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse(path + ": " + e.getMessage());
        }
    }

    private WorkloadSpec mixed(Path path) {
        List<RequestClass> made = classes.orElseThrow().stream().map(this::requestClass).toList();
        return WorkloadSpec.of(name.orElse(path.toString()), new Content.Mix(made));
    }

    private WorkloadSpec traced(Path path) {
        Path file = path.toAbsolutePath().resolveSibling(trace.orElseThrow());
        WorkloadSpec read = WorkloadSpec.presetOrFile(file.toString());
        WorkloadSpec spec = WorkloadSpec.of(name.orElse(path.toString()), read.content());
        spec = turns.isPresent() ? spec.withTurns(lengths("turns", turns.get())) : spec;
        return thinkTime.isPresent() ? spec.withThink(pause(thinkTime.get())) : spec;
    }

    private RequestClass requestClass(Kind kind) {
        RequestClass made = new RequestClass(kind.name(), kind.weight().orElse(1),
                lengths("input_tokens", kind.inputTokens()), lengths("output_tokens", kind.outputTokens()),
                kind.prefix().map(this::groups), new LengthDistribution.Constant(1),
                kind.thinkTime().map(WorkloadFile::pause).orElse(Pause.none()), kind.slo());
        return kind.turns().isPresent() ? made.withTurns(lengths("turns", kind.turns().get())) : made;
    }

    private PrefixGroups groups(String wanted) {
        Prefix found = prefixes.orElse(Map.of()).get(wanted);
        if (found == null) {
            throw new IllegalArgumentException("prefix '" + wanted + "' is not among 'prefixes' "
                    + prefixes.orElse(Map.of()).keySet());
        }
        return new PrefixGroups(wanted, found.groups(), lengths("tokens", found.tokens()));
    }

    private static LengthDistribution lengths(String field, JsonValue value) {
        try {
            return LengthDistribution.parse(text(value));
        } catch (AssayException e) {
            throw AssayException.misuse(value.at() + ": field '" + field + "': " + e.getMessage());
        }
    }

    private static Pause pause(JsonValue value) {
        try {
            return Pause.parse(text(value));
        } catch (AssayException e) {
            throw AssayException.misuse(value.at() + ": " + e.getMessage());
        }
    }

    private static String text(JsonValue value) {
        return switch (value) {
            case JsonValue.Int i -> Long.toString(i.value());
            case JsonValue.Real r -> Double.toString(r.value());
            case JsonValue.Str _,JsonValue.Obj _,JsonValue.Arr _,JsonValue.Bool _,JsonValue.Null _ ->
                value.asText();
        };
    }
}
