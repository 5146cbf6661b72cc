package dev.assay.workload;

import dev.assay.AssayException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * What the requests of a run look like: their lengths and their class. With arrivals, an extent and a seed it becomes
 * a schedule; the same four give the same requests, prompts included, so that both arms see the same ones.
 *
 * <p>The presets {@code chat} and {@code code} are the log-normal distributions nearest to the Azure LLM inference
 * traces of 2023 (AzurePublicDataset, CC-BY 4.0, Splitwise, ISCA'24), as printed by {@code assay load --fit FILE}
 * (docs/workloads.md). {@code chat-small} and {@code code-small} are the same with lengths divided by 8 (the answers of
 * {@code code} are short already and stay), cut so that prompt and answer fit a model of 2,048 positions.
 *
 * @param name the preset, file or lengths that it came from
 */
public record WorkloadSpec(String name, Lengths lengths, String requestClass) {
    /** The class of requests that name none. */
    public static final String DEFAULT_CLASS = "default";
    /** The built-in workloads by name. */
    public static final Map<String, Lengths> PRESETS = new TreeMap<>(Map.of(
            "chat", drawn("lognormal:826.5,0.978,2,14050", "lognormal:170.4,0.990,7,1000"),
            "code", drawn("lognormal:1215.1,1.219,3,7437", "lognormal:14.5,0.761,6,1899"),
            "chat-small", drawn("lognormal:103.3,0.978,4,1024", "lognormal:21.3,0.990,2,256"),
            "code-small", drawn("lognormal:151.9,1.219,4,1024", "lognormal:14.5,0.761,2,256")));

    /** Where lengths come from. */
    public sealed interface Lengths {
        /** Input and output drawn independently of each other. */
        record Drawn(LengthDistribution input, LengthDistribution output) implements Lengths {}

        /** The pairs of a trace in its order, from a row drawn by the seed, around again at its end. */
        record Traced(Trace trace) implements Lengths {}
    }

    /** Requests of the default class with these lengths. */
    public static WorkloadSpec of(LengthDistribution input, LengthDistribution output) {
        return new WorkloadSpec("lengths", new Lengths.Drawn(input, output), DEFAULT_CLASS);
    }

    /** The preset of this name, else the trace file of this path. */
    public static WorkloadSpec presetOrFile(String text) {
        Lengths preset = PRESETS.get(text);
        return preset != null
                ? new WorkloadSpec(text, preset, DEFAULT_CLASS)
                : new WorkloadSpec(text, new Lengths.Traced(Trace.read(Path.of(text))), DEFAULT_CLASS);
    }

    /** The schedule of a run with prompts sized by {@code calibration}. */
    public List<Request> schedule(Arrivals arrivals, Extent extent, long seed, Calibration calibration) {
        if (arrivals instanceof Arrivals.ClosedLoop && extent instanceof Extent.Lasting) {
            // How many a closed loop sends is not known beforehand; each is made when it is asked for.
            return new Endless(id -> request(id, 0, seed, calibration));
        }
        List<Request> schedule = new ArrayList<>();
        LongUnaryOperator next = arrivals.next(seed);
        long at = next.applyAsLong(0);
        while (switch (extent) {
            case Extent.Count c -> schedule.size() < c.requests();
            case Extent.Lasting l -> at < l.nanos();
        }) {
            schedule.add(request(schedule.size(), at, seed, calibration));
            at = next.applyAsLong(at);
        }
        if (schedule.isEmpty()) {
            throw AssayException
                    .misuse("no request arrives in this duration at this rate; expected a longer duration");
        }
        return List.copyOf(schedule);
    }

    private Request request(int id, long at, long seed, Calibration calibration) {
        SplittableRandom random = Seeds.stream(seed, Seeds.LENGTHS, id);
        int input;
        int output;
        switch (lengths) {
            case Lengths.Drawn d -> {
                input = d.input().sample(random);
                output = d.output().sample(random);
            }
            case Lengths.Traced t -> {
                List<Trace.Row> rows = t.trace().rows();
                int start = Seeds.stream(seed, Seeds.LENGTHS, -1).nextInt(rows.size());
                Trace.Row row = rows.get((int) ((start + (long) id) % rows.size()));
                input = row.inputTokens();
                output = row.outputTokens();
            }
        }
        return new Request(id, at, Prompts.text(seed, id, input, calibration), input, output, requestClass,
                Optional.empty());
    }

    private static Lengths drawn(String input, String output) {
        return new Lengths.Drawn(LengthDistribution.parse(input), LengthDistribution.parse(output));
    }

    /** A list as long as an int can count, whose elements are made when asked for. */
    private static final class Endless extends AbstractList<Request> implements RandomAccess {
        private final java.util.function.IntFunction<Request> make;

        Endless(java.util.function.IntFunction<Request> make) {
            this.make = make;
        }

        @Override
        public Request get(int id) {
            return make.apply(id);
        }

        @Override
        public int size() {
            return Integer.MAX_VALUE;
        }
    }
}
