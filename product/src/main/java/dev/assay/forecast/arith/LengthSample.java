package dev.assay.forecast.arith;

import dev.assay.forecast.PageArithmetic;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Trace;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * Requests' lengths, all equally likely: a whole trace, or draws of distributions. "Residence-weighted" means over the
 * steps in which a request decodes, which is what a pool and a decode step see.
 */
public final class LengthSample {
    private static final int DRAWS = 2_000;

    private final String name;
    private final int[] inputs;
    private final int[] outputs;
    private final double sumIn;
    private final double sumOut;

    private LengthSample(String name, int[] inputs, int[] outputs) {
        this.name = name;
        this.inputs = inputs;
        this.outputs = outputs;
        double in = 0;
        double out = 0;
        for (int i = 0; i < inputs.length; i++) {
            if (inputs[i] < 1 || outputs[i] < 1) {
                throw new IllegalArgumentException("request " + i + " has " + inputs[i] + " tokens in and "
                        + outputs[i] + " out; expected at least 1 each");
            }
            in += inputs[i];
            out += outputs[i];
        }
        sumIn = in;
        sumOut = out;
    }

    /** Every request alike. */
    public static LengthSample constant(int input, int output) {
        return new LengthSample(input + " in, " + output + " out", new int[]{input}, new int[]{output});
    }

    /** The given requests. */
    public static LengthSample of(String name, int[] inputs, int[] outputs) {
        if (inputs.length != outputs.length || inputs.length == 0) {
            throw new IllegalArgumentException(inputs.length + " inputs and " + outputs.length
                    + " outputs; expected as many of each, at least one");
        }
        return new LengthSample(name, inputs.clone(), outputs.clone());
    }

    /** Draws of two independent distributions. */
    public static LengthSample of(LengthDistribution input, LengthDistribution output, long seed) {
        if (input instanceof LengthDistribution.Constant i
                && output instanceof LengthDistribution.Constant o) {
            return constant(i.tokens(), o.tokens());
        }
        SplittableRandom random = new SplittableRandom(seed);
        int[] in = new int[DRAWS];
        int[] out = new int[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            in[i] = input.sample(random);
            out[i] = output.sample(random);
        }
        return new LengthSample("drawn lengths", in, out);
    }

    /** The rows of a trace. */
    public static LengthSample of(Trace trace) {
        return new LengthSample(trace.name(),
                trace.rows().stream().mapToInt(Trace.Row::inputTokens).toArray(),
                trace.rows().stream().mapToInt(Trace.Row::outputTokens).toArray());
    }

    /** What the lengths are from. */
    public String name() {
        return name;
    }

    /** How many requests. */
    public int size() {
        return inputs.length;
    }

    int input(int i) {
        return inputs[i];
    }

    int output(int i) {
        return outputs[i];
    }

    /** Mean prompt. */
    public double meanInput() {
        return sumIn / inputs.length;
    }

    /** Mean answer. */
    public double meanOutput() {
        return sumOut / outputs.length;
    }

    /** Tokens that a decoding sequence attends to in the mean: the prompt and half of the answer. */
    public double meanContext() {
        return meanInput() + meanOutput() / 2;
    }

    /** The longest prompt with answer. */
    public int longest() {
        int longest = 0;
        for (int i = 0; i < inputs.length; i++) {
            longest = Math.max(longest, Math.addExact(inputs[i], outputs[i]));
        }
        return longest;
    }

    /** Sum of min(j, window) for j from 1 to {@code n}. */
    static double capped(double n, OptionalInt window) {
        if (window.isEmpty() || n <= window.getAsInt()) {
            return n * (n + 1) / 2;
        }
        double w = window.getAsInt();
        return w * (w + 1) / 2 + (n - w) * w;
    }

    /** Residence-weighted mean of the tokens that a decode row attends, itself included. */
    public double decodeAttended(OptionalInt window) {
        double sum = 0;
        for (int i = 0; i < inputs.length; i++) {
            sum += capped(inputs[i] + (double) outputs[i], window) - capped(inputs[i], window);
        }
        return sum / sumOut;
    }

    /** Mean over requests of the tokens that all prompt tokens of one attend together, from token {@code cached} on. */
    public double prefillPairs(OptionalInt window, int cached) {
        double sum = 0;
        for (int input : inputs) {
            sum += capped(input, window) - capped(Math.min(cached, input - 1), window);
        }
        return sum / inputs.length;
    }

    /** Mean of tokens to prefill where the first {@code shared} are cached in full pages of {@code page}. */
    public double prefilled(int shared, int page) {
        double sum = 0;
        for (int input : inputs) {
            sum += input - hit(input, shared, page);
        }
        return sum / inputs.length;
    }

    /** Tokens found in the prefix cache: whole pages of what is shared, and never the last token of the prompt. */
    public static int hit(int input, int shared, int page) {
        return Math.min(shared, input - 1) / page * page;
    }

    /** Mean number of prefill steps at {@code chunk} tokens each. */
    public double prefillSteps(double chunk, int shared, int page) {
        double sum = 0;
        for (int input : inputs) {
            sum += Math.ceil((input - hit(input, shared, page)) / chunk);
        }
        return sum / inputs.length;
    }

    /** Mean number of cached tokens that later chunks read once more: about I(k-1)/2. */
    public double reread(double chunk) {
        double sum = 0;
        for (int input : inputs) {
            double k = Math.ceil(input / chunk);
            sum += input * (k - 1) / 2;
        }
        return sum / inputs.length;
    }

    /** Mean and standard deviation of what one running sequence holds, tokens in whole pages. */
    public record Footprint(double mean, double sd) {}

    /**
     * Residence-weighted footprint of a running sequence.
     *
     * @param window a sequence holds at most so many tokens, in pages with one to spare
     */
    public Footprint footprint(int page, OptionalInt window) {
        double first = 0;
        double second = 0;
        for (int i = 0; i < inputs.length; i++) {
            int p = inputs[i];
            int o = outputs[i];
            if (window.isPresent() && p + o > window.getAsInt()) {
                double most = (Math.ceilDiv(window.getAsInt(), page) + 1.0) * page;
                for (int j = 1; j <= o; j++) {
                    double held = Math.min(most, Math.ceilDiv(p + j, page) * (double) page);
                    first += held;
                    second += held * held;
                }
            } else {
                double waste = PageArithmetic.residenceWaste(p + 1, o, page);
                double held = capped(p + (double) o, OptionalInt.empty()) - capped(p, OptionalInt.empty())
                        + waste;
                first += held;
                // Within a page the square hardly varies: the mean page waste is added to each length.
                second += squares(p + (double) o) - squares(p) + 2 * waste * (p + (o + 1) / 2.0)
                        + waste * waste / o;
            }
        }
        double mean = first / sumOut;
        return new Footprint(mean, Math.sqrt(Math.max(0, second / sumOut - mean * mean)));
    }

    private static double squares(double n) {
        return n * (n + 1) * (2 * n + 1) / 6;
    }
}
