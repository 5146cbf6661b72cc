package dev.assay.review;

import dev.assay.forecast.EngineSettings;
import dev.assay.forecast.LocalMeasurements;
import dev.assay.load.Target;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What the author states in {@code review.yaml} (format 1): the decision asked, the objective, the constraints, the
 * workload, the SLO, both arms and how to measure. What {@link Lint} requires beyond the format is optional here, so
 * that a draft can be read and told what it lacks.
 *
 * @param assay the format's version, 1
 * @param title one line that names the change
 * @param change what kind of change it is; it decides which mechanism is predicted
 * @param decision the question that the review answers
 * @param owner who owns the decision
 * @param scope where the change would apply
 * @param layers the layers of the system that the change touches, as the author names them
 * @param explanation why the change should help: the causal story that the claims make testable
 * @param outputs whether both arms must give the same greedy tokens
 * @param measured what the author measured beside the server, with intervals
 * @param claims ready claims that the author tightens
 */
public record Proposal(int assay, String title, ChangeKind change, String decision, String owner,
        String scope,
        List<String> layers, Optional<String> explanation, Objective objective, List<Constraint> constraints,
        Outputs outputs, ModelSource model, Workload workload, List<Double> loadPoints, Slo slo, Arms arms,
        Measure measure, Optional<List<String>> telemetry, Optional<Rollback> rollback, Optional<Cost> cost,
        Optional<LocalMeasurements> measured, Optional<List<Tightening>> claims) {

    /** The version of the format that this class reads. */
    public static final int FORMAT = 1;

    public Proposal {
        if (assay != FORMAT) {
            throw new IllegalArgumentException("field 'assay' is " + assay + "; expected format " + FORMAT);
        }
        requireText("title", title);
        requireText("decision", decision);
        requireText("owner", owner);
        if (loadPoints.size() < 4) {
            throw new IllegalArgumentException(
                    "field 'load_points' has " + loadPoints.size() + " entries; expected at least 4");
        }
        for (int i = 0; i < loadPoints.size(); i++) {
            double point = loadPoints.get(i);
            if (!(point > 0) || (i > 0 && point <= loadPoints.get(i - 1))) {
                throw new IllegalArgumentException(
                        "field 'load_points[" + i + "]' is " + point + "; expected ascending rates above 0");
            }
        }
    }

    /** A proposal without local measurements and tightened claims. */
    public Proposal(int assay, String title, ChangeKind change, String decision, String owner, String scope,
            List<String> layers, Optional<String> explanation, Objective objective,
            List<Constraint> constraints, Outputs outputs, ModelSource model, Workload workload,
            List<Double> loadPoints, Slo slo, Arms arms, Measure measure, Optional<List<String>> telemetry,
            Optional<Rollback> rollback, Optional<Cost> cost) {
        this(assay, title, change, decision, owner, scope, layers, explanation, objective, constraints,
                outputs,
                model, workload, loadPoints, slo, arms, measure, telemetry, rollback, cost, Optional.empty(),
                Optional.empty());
    }

    /** What was measured beside the server, perhaps nothing. */
    public LocalMeasurements local() {
        return measured.orElse(LocalMeasurements.NONE);
    }

    /** Kinds of change whose mechanism Assay can predict and observe. */
    public enum ChangeKind {
        /** The number of sequences that decode together ({@code max_num_seqs}). */
        BATCH_CAP,
        /** The prompt and decode tokens that a step may take ({@code max_num_batched_tokens}). */
        TOKEN_BUDGET,
        /** The tokens that a KV page holds ({@code block_size}). */
        PAGE_SIZE,
        /** Fewer bits per weight, activations unchanged. */
        WEIGHT_QUANTIZATION,
        /** Fewer bits per key and value ({@code kv}). */
        KV_QUANTIZATION,
        /** One kernel in place of several at the end of a decode layer ({@code decode_epilogue}). */
        FUSED_EPILOGUE,
        /** Pages of equal prefixes are shared ({@code enable_prefix_caching}). */
        PREFIX_CACHING,
        /** Each matrix is split over devices ({@code tensor_parallel_size}). */
        TENSOR_PARALLEL,
        /** All-reduces take another way ({@code collective_path}). */
        COLLECTIVE_PATH,
        /** Tokens are drafted and verified together ({@code speculative_tokens}). */
        SPECULATIVE_DECODING
    }

    /**
     * A ready claim with a narrower interval than the forecast gives it.
     *
     * @param id of the claim
     * @param low the new lower bound of the ratio, where it is narrowed
     * @param high the new upper bound
     * @param loadPoints where; all load points if absent
     * @param drop refused if true: a claim is not dropped because it may fail
     */
    public record Tightening(String id, OptionalDouble low, OptionalDouble high,
            Optional<List<Double>> loadPoints, Optional<Boolean> drop) {
        public Tightening {
            if (low.isPresent() && high.isPresent() && low.getAsDouble() > high.getAsDouble()) {
                throw new IllegalArgumentException("claim '" + id + "' has low " + low.getAsDouble()
                        + " above high " + high.getAsDouble());
            }
        }
    }

    /** The metric that must improve, where, and by what ratio at least for the change to be worth its risk. */
    public record Objective(String metric, List<Double> loadPoints, double minEffect) {
        public Objective {
            Metric.named("objective.metric", metric);
            if (!(minEffect > 0) || minEffect == 1) {
                throw new IllegalArgumentException("field 'objective.min_effect' is " + minEffect
                        + "; expected a ratio candidate/baseline such as 1.05 (or 0.95 where lower is better)");
            }
        }
    }

    /** A metric that may not regress by more than {@code margin} (a fraction: 0.1 is ten percent) at these points. */
    public record Constraint(String metric, double margin, List<Double> loadPoints) {
        public Constraint {
            Metric.named("constraints.metric", metric);
            if (!(margin > 0) || margin >= 1) {
                throw new IllegalArgumentException(
                        "field 'constraints.margin' is " + margin + "; expected a fraction between 0 and 1");
            }
        }
    }

    /**
     * What is expected of the outputs: {@code exact: true} for the same greedy tokens; else at most
     * {@code maxNllIncrease} nats per token of mean likelihood loss on the baseline's own greedy text, and where stated
     * at most {@code maxKl} nats of mean divergence, which tells weight formats apart long before the loss does.
     */
    public record Outputs(boolean exact, OptionalDouble maxNllIncrease, OptionalDouble maxKl, int prompts,
            int tokens) {
        public Outputs {
            if (!exact && maxNllIncrease.isEmpty()) {
                throw new IllegalArgumentException(
                        "field 'outputs.max_nll_increase' is missing; expected nats per token where exact is false");
            }
            if (prompts < 1 || tokens < 1) {
                throw new IllegalArgumentException(
                        "fields 'outputs.prompts' and 'outputs.tokens' are " + prompts
                                + " and " + tokens + "; expected 1 or more");
            }
        }
    }

    /** The model that both arms serve: the name used in requests, and a GGUF file that gives its shape. */
    public record ModelSource(String name, String shapeFrom) {}

    /**
     * What is sent: a preset or workload file, a trace file, or two length distributions, and the OpenAI endpoint used.
     * Prompts of {@code inputTokens} may begin with one of {@code prefixGroups} common texts of {@code prefixTokens}.
     * Requests arrive as Poisson process where {@code arrivals} says nothing else.
     */
    public record Workload(Optional<String> preset, Optional<String> trace, Optional<String> inputTokens,
            Optional<String> outputTokens, Optional<String> api, Optional<Boolean> ignoreEos,
            Optional<Boolean> continuousUsage, Optional<String> prefixTokens,
            Optional<Integer> prefixGroups, Optional<ArrivalLaw> arrivals) {
        /** A workload whose lengths have no common prefix. */
        public Workload(Optional<String> preset, Optional<String> trace, Optional<String> inputTokens,
                Optional<String> outputTokens, Optional<String> api, Optional<Boolean> ignoreEos,
                Optional<Boolean> continuousUsage) {
            this(preset, trace, inputTokens, outputTokens, api, ignoreEos, continuousUsage, Optional.empty(),
                    Optional.empty(), Optional.empty());
        }

        public Workload {
            boolean lengths = inputTokens.isPresent() && outputTokens.isPresent();
            int ways = (preset.isPresent() ? 1 : 0) + (trace.isPresent() ? 1 : 0) + (lengths ? 1 : 0);
            if (ways != 1) {
                throw new IllegalArgumentException("field 'workload' states " + ways
                        + " sources; expected one: preset, trace, or input_tokens with output_tokens");
            }
            if (prefixTokens.isPresent() && !lengths || prefixGroups.isPresent() && prefixTokens.isEmpty()) {
                throw new IllegalArgumentException("field 'workload': prefix_groups needs prefix_tokens, and"
                        + " prefix_tokens needs input_tokens (a preset's file and a trace state their own)");
            }
            if (arrivals.filter(a -> a instanceof ArrivalLaw.Trace).isPresent()
                    && (lengths || preset.filter(WorkloadSpec.PRESETS::containsKey).isPresent())) {
                throw new IllegalArgumentException("field 'workload.arrivals.kind' is trace and the workload"
                        + " records no arrivals; expected poisson, gamma or constant, or a workload with trace");
            }
        }
    }

    /** Both arms. */
    public record Arms(ArmSpec baseline, ArmSpec candidate) {
        public Arms {
            if (baseline.url().isPresent() != candidate.url().isPresent()) {
                throw new IllegalArgumentException(
                        "field 'arms' mixes a command and a url; expected the same kind for both arms");
            }
        }

        /** Whether both servers are up all the time, so that arms alternate slot by slot. */
        public boolean resident() {
            return baseline.url().isPresent();
        }
    }

    /**
     * One arm: a command with {@code {port}} that starts its server, or the URL of one that runs, and the settings that
     * the forecast needs.
     *
     * @param http2 whether the load is sent by HTTP/2: agreed on by TLS for https, without asking for http
     * @param headers sent with each request
     * @param cacert a file of certificates (PEM) that are believed instead of the JDK's
     * @param insecure whether any certificate is believed
     * @param apiKeyEnv the variable that holds the server's API key, which no file of the review holds
     */
    public record ArmSpec(Optional<String> command, Optional<String> url, Optional<Map<String, String>> env,
            Optional<String> cwd, Optional<Double> readyTimeoutS, EngineSettings settings,
            Optional<Boolean> http2, Optional<Map<String, String>> headers, Optional<String> cacert,
            Optional<Boolean> insecure, Optional<String> apiKeyEnv) {
        /** An arm that is spoken to by HTTP/1.1, without headers of its own. */
        public ArmSpec(Optional<String> command, Optional<String> url, Optional<Map<String, String>> env,
                Optional<String> cwd, Optional<Double> readyTimeoutS, EngineSettings settings) {
            this(command, url, env, cwd, readyTimeoutS, settings, Optional.empty(), Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty());
        }

        public ArmSpec {
            if (command.isPresent() == url.isPresent()) {
                throw new IllegalArgumentException(
                        "an arm needs either 'command' or 'url', not both or neither");
            }
            if (command.isPresent() && !command.get().contains("{port}")) {
                throw new IllegalArgumentException(
                        "field 'command' lacks {port}; Assay fills in the port there");
            }
            if (!url.orElse("").startsWith("https:") && (cacert.isPresent() || insecure.orElse(false))) {
                throw new IllegalArgumentException("field '" + (cacert.isPresent() ? "cacert" : "insecure")
                        + "' is for TLS; expected a 'url' that begins with https");
            }
            if (apiKeyEnv.isPresent() && !apiKeyEnv.get().matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new IllegalArgumentException("field 'api_key_env' is '" + apiKeyEnv.get()
                        + "'; expected the name of an environment variable");
            }
            for (Target.Header h : parsed(headers)) {
                if (h.name().toLowerCase(Locale.ROOT).endsWith("authorization")) {
                    throw new IllegalArgumentException("field 'headers': " + h.name()
                            + " would stand in the sealed file; expected api_key_env with the variable's name");
                }
            }
        }

        /** Whether the load is sent by HTTP/2. */
        public boolean overHttp2() {
            return http2.orElse(false);
        }

        /** The headers in the order of their names. */
        List<Target.Header> sentHeaders() {
            return parsed(headers);
        }

        private static List<Target.Header> parsed(Optional<Map<String, String>> headers) {
            return new TreeMap<>(headers.orElse(Map.of())).entrySet().stream()
                    .map(e -> new Target.Header(e.getKey(), e.getValue())).toList();
        }

        /** How the arm is spoken to where that is not the usual way, in words; empty where it is. */
        public String spoken() {
            List<String> words = new ArrayList<>();
            if (overHttp2()) {
                words.add("HTTP/2");
            }
            new TreeMap<>(headers.orElse(Map.of())).forEach((n, v) -> words.add("header " + n + ": " + v));
            cacert.ifPresent(file -> words.add("certificates of " + file));
            if (insecure.orElse(false)) {
                words.add("any certificate");
            }
            apiKeyEnv.ifPresent(name -> words.add("API key from $" + name));
            return String.join(", ", words);
        }
    }

    /** How much is measured. {@code seed} decides block directions, load order, arrivals and prompts. */
    public record Measure(int blocks, double slotS, double warmupS, int calibrationSessions, long seed) {
        public Measure {
            if (blocks < 1 || !(slotS > 0) || !(warmupS >= 0) || calibrationSessions < 1) {
                throw new IllegalArgumentException(
                        "field 'measure': expected blocks of at least 1, slot_s above 0,"
                                + " warmup_s of at least 0, calibration_sessions of at least 1");
            }
            // Digests are over RFC 8785's form, whose numbers are doubles.
            if (seed < 0 || seed > 1L << 53) {
                throw new IllegalArgumentException(
                        "field 'measure.seed' is " + seed + "; expected 0 to 2^53");
            }
        }
    }

    /** When and how the rollout is undone. */
    public record Rollback(String trigger, String how) {}

    /** What an arm's host costs. */
    public record Cost(String currency, double perHour) {
        public Cost {
            if (!(perHour > 0)) {
                throw new IllegalArgumentException(
                        "field 'cost.per_hour' is " + perHour + "; expected more than 0");
            }
        }
    }

    private static void requireText(String field, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("field '" + field + "' is empty");
        }
    }
}
