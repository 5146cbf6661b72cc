package dev.assay.forecast.arms;

import dev.assay.AssayException;
import dev.assay.forecast.Hardware;
import dev.assay.forecast.Limiter;
import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.Limiters;
import dev.assay.forecast.arith.KvMemory;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arith.Parallelism;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.forecast.arith.RankArithmetic;
import dev.assay.forecast.arith.StepLaw;
import dev.assay.forecast.arith.StepTheory;
import dev.assay.forecast.arith.StepTime;
import dev.assay.forecast.arith.WeightPlan;
import dev.assay.forecast.engines.ArmSettings;
import dev.assay.model.AttentionSpec;
import dev.assay.model.DecoderSpec;
import dev.assay.model.LayerRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** One arm under a workload: its memory, and its state at any load. */
public final class ArmModel {
    /** Deviate of the 99th percentile: the pool suffices in 99 % of the steps. */
    private static final double Z99 = 2.3263478740408408;
    private static final int STEPS = 40;
    private static final double CLOSE = 1e-5;
    private static final int UNCHUNKED = 1 << 20;
    private static final int JOINED_PROMPTS = 16_384;
    private static final double NANOS = 1e9;

    private final ArmSettings settings;
    private final StepLaw law;
    private final LengthSample lengths;
    private final KvMemory memory;
    private final Workload work;
    private final long admissible;
    private final long safe;
    private final double tokensPerStep;
    private final int drafted;
    private final double draftCost;
    private final double pool;
    private final LengthSample.Footprint footprint;

    /** What requests ask of this arm, means over requests. */
    private record Workload(double output, double prefilled, RankArithmetic.Attended attended,
            RankArithmetic.Attended pairs, int shared, Map<Integer, Double> steps,
            Map<Integer, Double> reread) {}

    /** The arm; contradictions between model, engine and hardware are faults of one line. */
    public ArmModel(DecoderSpec spec, ArmSettings settings, Hardware hardware, LengthSample lengths,
            ArmInputs inputs) {
        this.settings = settings;
        this.lengths = lengths;
        String where = settings.engine();
        settings.parallel().check(spec, where);
        int longest = Math.min(spec.contextLength(), settings.longest().orElse(Integer.MAX_VALUE));
        if (lengths.longest() > longest) {
            throw AssayException.misuse(where + ": the longest request has " + lengths.longest()
                    + " tokens; expected at most the longest sequence, " + longest);
        }
        WeightPlan plan = settings.weights().filter(f -> spec.storedBits().isEmpty()).map(WeightPlan::of)
                .orElseGet(() -> WeightPlan.stored(spec));
        QuantFormat kv = settings.kv()
                .orElse(plan.main() == QuantFormat.F32 ? QuantFormat.F32 : QuantFormat.BF16);
        RankArithmetic rank = new RankArithmetic(spec, plan, kv, settings.parallel(), inputs.routing());
        law = new StepLaw(rank, kv, hardware);
        memory = memory(rank, hardware, inputs, where);
        int shared = settings.prefixCaching() ? inputs.sharedPrefix() : 0;
        work = workload(spec, shared);
        double mean = 0;
        double sd = 0;
        for (LayerRun run : spec.layers()) {
            double perToken = run.count() * run.attention().cachedValues() * kv.bits() / 8
                    / Math.min(settings.parallel().tensor(), run.attention().splitHeads());
            LengthSample.Footprint f = lengths.footprint(settings.pageSize(), window(run.attention()));
            double own = Math.max(settings.pageSize(), f.mean() - cachedPrefix(shared));
            mean += perToken * own;
            sd += perToken * f.sd();
        }
        pool = memory.tokens() * rank.kvBytesPerToken();
        footprint = new LengthSample.Footprint(mean, sd);
        admissible = KvMemory.admissible(pool, mean);
        safe = KvMemory.admissible(pool, mean, sd, Z99);
        if (admissible < 1) {
            throw AssayException.misuse(where + ": the KV cache holds " + memory.tokens()
                    + " tokens; expected room for one running request, about "
                    + Math.round(mean / rank.kvBytesPerToken()));
        }
        drafted = settings.speculativeTokens();
        draftCost = inputs.draftCost();
        if (drafted > 0 && inputs.acceptance().isEmpty()) {
            throw AssayException.misuse(where + ": " + drafted
                    + " tokens are drafted a step; expected --acceptance, which no arithmetic gives");
        }
        double a = inputs.acceptance().orElse(0);
        tokensPerStep = drafted == 0 ? 1 : (1 - Math.pow(a, drafted + 1.0)) / (1 - a);
    }

    /** Tokens of the shared prefix that lie in whole pages, which all sequences have in common. */
    private double cachedPrefix(int shared) {
        return (double) Math.floorDiv(shared, settings.pageSize()) * settings.pageSize();
    }

    private OptionalInt window(AttentionSpec attention) {
        return settings.windowed() ? attention.window() : OptionalInt.empty();
    }

    private KvMemory memory(RankArithmetic rank, Hardware hardware, ArmInputs inputs, String where) {
        int page = settings.pageSize();
        int empty = settings.engine().equals("vllm") ? 1 : 0;
        double rows = Math.min(settings.maxNumSeqs(), settings.tokenBudget());
        // Without chunks a step is as long as the longest prompts that the engine joins.
        double tokens = settings.tokenBudget() < UNCHUNKED
                ? settings.tokenBudget()
                : Math.max(lengths.longest(), JOINED_PROMPTS);
        double activation = inputs.activationBytes().orElse(rank.activationPeak(tokens, rows));
        double share = settings.engine().equals("sglang") ? 1 : settings.memoryShare();
        KvMemory fit = KvMemory.of(share * hardware.memoryBytes(), rank.residentBytes(),
                // SGLang's fraction covers weights and pool; activations lie outside of it.
                settings.engine().equals("sglang")
                        ? Math.max(activation, (1 - settings.memoryShare()) * hardware.memoryBytes()
                                - inputs.otherBytes())
                        : activation,
                inputs.otherBytes(), rank.kvBytesPerTokenOfStage(), page, empty, where);
        if (settings.kvTokens().isEmpty()) {
            return fit;
        }
        long wanted = settings.kvTokens().getAsInt() / page;
        if (wanted > fit.pages() + empty) {
            throw AssayException.misuse(where + ": the command asks for a KV cache of "
                    + settings.kvTokens().getAsInt() + " tokens; expected at most what fits, "
                    + fit.tokens());
        }
        return new KvMemory(fit.takenBytes(), fit.weightBytes(), fit.activationBytes(), fit.otherBytes(),
                fit.pageBytes(), wanted, page);
    }

    private Workload workload(DecoderSpec spec, int shared) {
        int page = settings.pageSize();
        Map<OptionalInt, Double> attended = new HashMap<>();
        Map<OptionalInt, Double> pairs = new HashMap<>();
        for (LayerRun run : spec.layers()) {
            OptionalInt w = run.attention().window();
            attended.computeIfAbsent(w, lengths::decodeAttended);
            pairs.computeIfAbsent(w, v -> lengths.prefillPairs(v, shared / page * page));
        }
        return new Workload(lengths.meanOutput(), lengths.prefilled(shared, page),
                a -> attended.getOrDefault(a.window(), 0.0), a -> pairs.getOrDefault(a.window(), 0.0), shared,
                new HashMap<>(), new HashMap<>());
    }

    /** Memory of a device. */
    public KvMemory memory() {
        return memory;
    }

    /** Sequences whose mean footprints fill the pools of all copies. */
    public long admissible() {
        return admissible * settings.parallel().data();
    }

    /** Sequences that fit in 99 % of the steps. */
    public long safelyAdmissible() {
        return safe * settings.parallel().data();
    }

    /** Probability that {@code running} sequences, alike on all copies, need more pages than there are. */
    public double overflowProbability(double running) {
        double each = running / settings.parallel().data();
        double sd = footprint.sd() * Math.sqrt(each);
        double left = pool - each * footprint.mean();
        return sd == 0 ? left < 0 ? 1 : 0 : NormalDistribution.of(0, sd).survivalProbability(left);
    }

    /** The most sequences that run: the engine's cap or the pool. */
    public double cap() {
        return Math.min(settings.maxNumSeqs(), admissible) * (double) settings.parallel().data();
    }

    /** The law of its steps. */
    public StepLaw law() {
        return law;
    }

    /** The engine. */
    public ArmSettings settings() {
        return settings;
    }

    /** The lengths it serves. */
    public LengthSample lengths() {
        return lengths;
    }

    /** A client keeps {@code offered} requests in the system. */
    public ArmPoint atBatch(double offered, StepTheory t) {
        if (!(offered > 0)) {
            throw new IllegalArgumentException("batch is " + offered + "; expected more than 0");
        }
        double running = Math.min(offered, cap());
        State s = state(running, t);
        boolean queued = offered > running;
        double ttft = queued
                // The others wait until a place is free: Little's law over the whole population.
                ? (offered - running) / s.requestRate() * NANOS + s.prefillNanos()
                : s.prefillNanos() + s.step().nanos() / 2;
        return point(running, s, OptionalDouble.of(ttft), queued, OptionalDouble.empty());
    }

    /** Requests arrive at {@code rate} in a second, at random. */
    public ArmPoint atRate(double rate, StepTheory t) {
        if (!(rate > 0)) {
            throw new IllegalArgumentException("rate is " + rate + "; expected more than 0");
        }
        double cap = cap();
        double least = excess(cap, rate, t);
        if (least > 0) {
            State s = state(cap, t);
            return point(cap, s, OptionalDouble.empty(), true, OptionalDouble.empty());
        }
        State s = state(balanced(cap, least, rate, t), t);
        double running = rate * (s.prefillNanos() + work.output() * s.tpotNanos()) / NANOS;
        double ownSeconds = s.marginalPrefillNanos() / NANOS;
        double use = Math.min(0.99, rate * ownSeconds);
        double waitNanos = rate * ownSeconds * ownSeconds / (2 * (1 - use)) * NANOS;
        double busy = 1 - Math.exp(-running);
        return point(running, s,
                OptionalDouble.of(waitNanos + s.prefillNanos() + busy * s.step().nanos() / 2), false,
                OptionalDouble.of(rate));
    }

    /** Where as many requests are in the system as Little's law says: false position, halved where one end stays. */
    private double balanced(double cap, double atCap, double rate, StepTheory t) {
        double low = 0;
        double atLow = excess(0, rate, t);
        double high = cap;
        double atHigh = atCap;
        for (int i = 0; i < STEPS && high - low > CLOSE * high; i++) {
            double x = (low * atHigh - high * atLow) / (atHigh - atLow);
            double at = excess(x, rate, t);
            if (Math.abs(at) < CLOSE * x) {
                return x;
            }
            if (at > 0) {
                low = x;
                atLow = at;
                atHigh /= 2;
            } else {
                high = x;
                atHigh = at;
                atLow /= 2;
            }
        }
        return high;
    }

    /** Requests in the system by Little's law at the times of {@code running}, minus these. */
    private double excess(double running, double rate, StepTheory t) {
        State s = state(running, t);
        return rate * (s.prefillNanos() + work.output() * s.tpotNanos()) / NANOS - running;
    }

    /** The steady state of a number of running sequences. */
    private record State(double tpotNanos, double prefillNanos, double marginalPrefillNanos,
            double outputRate,
            double requestRate, StepTime step, double budgetShare) {}

    private State state(double running, StepTheory t) {
        Parallelism p = settings.parallel();
        double rows = Math.max(1, running / p.data() / p.pipeline());
        // In fewer than one row on a copy, the copies are idle part of the time.
        double activity = running / p.data() / p.pipeline() / rows;
        double perToken = work.prefilled() / work.output() * tokensPerStep;
        double budget = settings.tokenBudget();
        double wanted = rows * (1 + drafted + (settings.mixed() ? perToken * activity : 0));
        double decode = wanted > budget && settings.mixed() ? rows * budget / wanted : rows;
        StepTime step = settings.mixed()
                ? law.time(load(decode, decode * perToken * activity), t)
                : separate(rows, activity, t);
        double draft = 1 + draftCost * drafted;
        double tpot = step.nanos() * draft / tokensPerStep;
        double output = decode * activity * p.data() * p.pipeline() / tpot * NANOS;
        double chunk = settings.mixed() ? Math.max(1, budget - Math.min(decode, budget / 2)) : budget;
        double steps = cached(work.steps(), (int) Math.min(chunk, Integer.MAX_VALUE / 2),
                c -> lengths.prefillSteps(c, work.shared(), settings.pageSize()));
        double perStep = work.prefilled() / steps;
        StepTime alone = law.time(load(settings.mixed() ? decode : 0, 0), t);
        StepTime with = law.time(prefill(settings.mixed() ? decode : 0, perStep, 1 / steps, (int) chunk), t);
        double marginal = Math.max(0, with.nanos() - (settings.mixed() ? alone.nanos() : 0)) * steps;
        return new State(tpot, steps * with.nanos(), marginal, output, output / work.output(), step,
                wanted > budget && settings.mixed() ? 1 - budget / wanted : 0);
    }

    private static double cached(Map<Integer, Double> known, int chunk,
            java.util.function.IntToDoubleFunction compute) {
        return known.computeIfAbsent(chunk, c -> compute.applyAsDouble(c));
    }

    /** Decode rows with a part of the prefill tokens of their successors. */
    private StepLaw.Load load(double decode, double prefillTokens) {
        return prefill(decode, prefillTokens, prefillTokens / work.prefilled(),
                settings.tokenBudget());
    }

    /**
     * A step with {@code decode} rows and prompt tokens.
     *
     * @param requests how many requests' prompts those are
     */
    private StepLaw.Load prefill(double decode, double tokens, double requests, int chunk) {
        double reread = requests == 0 ? 0 : requests * cached(work.reread(), chunk, lengths::reread);
        double verified = decode * drafted;
        return new StepLaw.Load(decode, work.attended(), tokens + verified,
                a -> requests * work.pairs().tokens(a) + verified * work.attended().tokens(a), reread,
                decode + verified + requests);
    }

    /** Engines that compute prompts in steps of their own: a decode step with its share of them. */
    private StepTime separate(double rows, double activity, StepTheory t) {
        StepTime decode = law.time(prefill(rows, 0, 0, settings.tokenBudget()), t);
        double steps = cached(work.steps(), settings.tokenBudget(),
                c -> lengths.prefillSteps(c, work.shared(), settings.pageSize()));
        StepTime prompt = law.time(prefill(0, work.prefilled() / steps, 1 / steps, settings.tokenBudget()),
                t);
        return decode.plus(prompt, rows * activity * tokensPerStep / work.output() * steps);
    }

    private ArmPoint point(double running, State s, OptionalDouble ttft, boolean queued,
            OptionalDouble rate) {
        return new ArmPoint(running, s.tpotNanos(), ttft, rate.isPresent()
                ? rate.getAsDouble() * work.output()
                : s.outputRate(), rate.isPresent() ? rate.getAsDouble() : s.requestRate(), queued, s.step(),
                limiter(running, s, queued, rate.isPresent()));
    }

    private LimiterForecast limiter(double running, State s, boolean queued, boolean open) {
        List<StepTime.Term> terms = s.step().terms();
        StepTime.Term first = terms.getFirst();
        if (queued) {
            Limiter cap = admissible < settings.maxNumSeqs() ? Limiter.KV_CAPACITY : Limiter.BATCH_SLOTS;
            return new LimiterForecast(cap, 1, first.limiter(), first.share());
        }
        if (s.budgetShare() > 0) {
            return new LimiterForecast(Limiter.PREFILL_BUDGET, s.budgetShare(), first.limiter(),
                    first.share());
        }
        double idle = Math.exp(-running);
        if (open && 1 - idle < Limiters.BUSY_SHARE) {
            return new LimiterForecast(Limiter.ARRIVALS, idle, first.limiter(), first.share());
        }
        return new LimiterForecast(first.limiter(), first.share(), terms.get(1).limiter(),
                terms.get(1).share());
    }
}
