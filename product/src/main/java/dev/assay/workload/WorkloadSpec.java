package dev.assay.workload;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What the requests of a run look like: their lengths, texts, classes and conversations. With arrivals, an extent and a
 * seed it becomes a schedule; the same four give the same requests, prompts included, so that both arms see the same
 * ones.
 *
 * <p>The presets {@code chat} and {@code code} are the log-normal distributions nearest to the Azure LLM inference
 * traces of 2023 (AzurePublicDataset, CC-BY 4.0, Splitwise, ISCA'24), as printed by {@code assay load --fit FILE}
 * (docs/workloads.md). {@code chat-small} and {@code code-small} are the same with lengths divided by 8 (the answers of
 * {@code code} are short already and stay), cut so that prompt and answer fit a model of 2,048 positions.
 *
 * @param name the preset, file or lengths that it came from
 * @param arrivals how it is meant to arrive, where it says so itself
 * @param turns at most how many turns of a recorded conversation are played, drawn for each; all where empty
 * @param think the pause before each later turn of a recorded conversation, instead of the recorded one
 */
public record WorkloadSpec(String name, Content content, Optional<Arrivals> arrivals,
        Optional<LengthDistribution> turns, Optional<Pause> think) {
    /** The class of requests that name none. */
    public static final String DEFAULT_CLASS = "default";
    /** The built-in workloads by name. */
    public static final Map<String, RequestClass> PRESETS = new TreeMap<>(Map.of(
            "chat", drawn("lognormal:826.5,0.978,2,14050", "lognormal:170.4,0.990,7,1000"),
            "code", drawn("lognormal:1215.1,1.219,3,7437", "lognormal:14.5,0.761,6,1899"),
            "chat-small", drawn("lognormal:103.3,0.978,4,1024", "lognormal:21.3,0.990,2,256"),
            "code-small", drawn("lognormal:151.9,1.219,4,1024", "lognormal:14.5,0.761,2,256")));

    /** Where requests come from. */
    public sealed interface Content {
        /** Drawn from distributions: one class, or a mix by their weights. */
        record Mix(List<RequestClass> classes) implements Content {
            public Mix {
                classes = List.copyOf(classes);
                if (classes.isEmpty()) {
                    throw new IllegalArgumentException("a mix has no class; expected at least one");
                }
                if (classes.stream().map(RequestClass::name).distinct().count() < classes.size()) {
                    throw new IllegalArgumentException("two classes of a mix have the same name");
                }
            }
        }

        /**
         * A trace in its order. A replay begins with its first row and ends with its last; under other arrivals it
         * begins with a row drawn by the seed and goes around again at its end.
         */
        record Traced(Trace trace) implements Content {}

        /** Clients with their own arrivals and lengths, from ServeGen's profiles. */
        record Clients(ServeGen profiles) implements Content {}

        /** Recorded conversations with their texts. */
        record Chats(ShareGpt file) implements Content {}
    }

    /** Requests of the default class with these lengths. */
    public static WorkloadSpec of(LengthDistribution input, LengthDistribution output) {
        return of("lengths", new Content.Mix(List.of(RequestClass.of(DEFAULT_CLASS, input, output))));
    }

    /** A workload that says nothing of arrivals and keeps recorded conversations as they are. */
    public static WorkloadSpec of(String name, Content content) {
        return new WorkloadSpec(name, content, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The preset of this name, else the workload file or trace of this path. */
    public static WorkloadSpec presetOrFile(String text) {
        RequestClass preset = PRESETS.get(text);
        return preset != null
                ? of(text, new Content.Mix(List.of(preset)))
                : WorkloadFiles.read(text, Path.of(text));
    }

    /** The same with other arrivals of its own. */
    public WorkloadSpec withArrivals(Arrivals own) {
        return new WorkloadSpec(name, content, Optional.of(own), turns, think);
    }

    /** The same with at most so many turns (recorded), or so many (drawn). */
    public WorkloadSpec withTurns(LengthDistribution many) {
        return content instanceof Content.Mix mix
                ? withContent(new Content.Mix(mix.classes().stream().map(c -> c.withTurns(many)).toList()))
                : new WorkloadSpec(name, content, arrivals, Optional.of(many), think);
    }

    /** The same with another pause before each later turn. */
    public WorkloadSpec withThink(Pause pause) {
        return content instanceof Content.Mix mix
                ? withContent(new Content.Mix(mix.classes().stream().map(c -> c.withThink(pause)).toList()))
                : new WorkloadSpec(name, content, arrivals, turns, Optional.of(pause));
    }

    /** The same with other content. */
    public WorkloadSpec withContent(Content other) {
        return new WorkloadSpec(name, other, arrivals, turns, think);
    }

    /** Whether it has recorded times that can be replayed. */
    public boolean recordsTimes() {
        return switch (content) {
            case Content.Traced _,Content.Clients _ -> true;
            case Content.Mix _,Content.Chats _ -> false;
        };
    }

    /** The objectives of its classes; a class without one of its own has {@code otherwise}. */
    public Map<String, Slo> slos(Slo otherwise) {
        Map<String, Slo> all = new TreeMap<>();
        if (content instanceof Content.Mix mix) {
            mix.classes().forEach(c -> all.put(c.name(), c.slo().orElse(otherwise)));
        } else {
            all.put(DEFAULT_CLASS, otherwise);
        }
        return all;
    }

    /** The requests of a run, made when asked for, with prompts sized by {@code calibration}. */
    public Schedule requests(Arrivals by, Extent extent, long seed, Calibration calibration) {
        Sessions sessions = new Sessions(this, by, seed);
        boolean endless = !by.openLoop() && extent instanceof Extent.Lasting;
        OptionalInt size = switch (extent) {
            case Extent.Count c when by instanceof Arrivals.Replay -> {
                OptionalInt known = sessions.source().requests();
                yield known.isPresent()
                        ? OptionalInt.of(Math.min(known.getAsInt(), c.requests()))
                        : OptionalInt.empty();
            }
            case Extent.Count c when by instanceof Arrivals.Ramp -> OptionalInt.empty();
            case Extent.Count c -> OptionalInt.of(c.requests());
            case Extent.Lasting _ -> OptionalInt.empty();
        };
        return new Schedule(() -> new Walk(sessions.source(), by, extent, seed, calibration), size, endless);
    }

    /** As {@link #requests}, all at once. */
    public List<Request> schedule(Arrivals by, Extent extent, long seed, Calibration calibration) {
        return requests(by, extent, seed, calibration).toList();
    }

    private static RequestClass drawn(String input, String output) {
        return RequestClass.of(DEFAULT_CLASS, LengthDistribution.parse(input),
                LengthDistribution.parse(output));
    }
}
