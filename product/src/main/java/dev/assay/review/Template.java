package dev.assay.review;

import dev.assay.Resources;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A {@code review.yaml} with its comments, filled in from values. Every place has a value that a reader recognises as
 * one to replace, so that a new review says by itself what it lacks.
 */
public final class Template {
    private static final Pattern PLACE = Pattern.compile("@\\{([a-z_]+)}");
    private final Map<String, String> values = new LinkedHashMap<>();

    private Template() {}

    /** The template of a kind of change. */
    public static Template of(Proposal.ChangeKind change) {
        Template t = new Template();
        t.set("change", change.name().toLowerCase(Locale.ROOT));
        t.text("owner", "you@example.org");
        t.text("scope", "the pool, region and traffic that the change would reach");
        t.text("decision", "Ship the candidate to the pool?");
        t.list("layers", List.of("serving"));
        t.set("objective_points", "[8]");
        t.set("exact", "true").set("max_nll", "");
        t.set("prompts", "8").set("tokens", "32");
        t.set("model", "assay-18m").set("shape_from", "model/assay-18m-bf16.gguf");
        t.set("input_tokens", "lognormal:64,0.6,8,256").set("output_tokens", "lognormal:40,0.5,8,128");
        t.set("load_points", "[2, 4, 8, 12]").set("ttft_ms", "250").set("tpot_ms", "20");
        t.set("blocks", "6").set("slot_s", "10").set("warmup_s", "5").set("calibration_sessions", "2");
        t.set("seed", "1").set("measured", "");
        t.list("telemetry", List.of("TTFT and TPOT p95 by class", "error share", "requests waiting",
                "KV pages in use"));
        t.text("rollback_trigger", "share of good requests falls 2 points below the control's for 5 minutes");
        t.text("rollback_how", "restore the previous flags and restart the pool, one host at a time");
        t.text("currency", "USD").set("per_hour", "0.10");
        t.set("baseline", "command: \"your-server --port {port}\"");
        t.set("candidate", "command: \"your-server --port {port} --the-change\"");
        t.perChange(ReadyChange.of(change));
        return t;
    }

    private void perChange(ReadyChange ready) {
        set("page", ready.page()).text("title", ready.title()).text("explanation", ready.explanation());
        objective(ready.objective().metric(), ready.objective().minEffect());
        constraint(ready.constraint().metric(), ready.constraint().margin(), List.of());
        if (!ready.exact()) {
            set("exact", "false").set("max_nll", "\n  max_nll_increase: "
                    + Json.canonical(ready.maxNllIncrease().orElseThrow()) + "\n  max_kl: "
                    + Json.canonical(ready.maxKl().orElseThrow()));
        }
        set("baseline_settings", settings(ready.baseline())).set("candidate_settings",
                settings(ready.candidate()));
        set("prefix", ready.prefix().orElse(""));
        ready.measured().ifPresent(this::measured);
    }

    /** The block of local measurements, as YAML indented by two; its first line may be a comment. */
    public Template measured(String yaml) {
        return set("measured",
                "\n# What no run of the baseline can tell, measured beside the server.\nmeasured:\n  " + yaml
                        + "\n");
    }

    private static String settings(Map<String, JsonValue> changed) {
        Map<String, JsonValue> all = new LinkedHashMap<>();
        all.put("max_num_seqs", JsonValue.of(8));
        all.put("max_num_batched_tokens", JsonValue.of(256));
        all.put("block_size", JsonValue.of(16));
        all.put("weights", JsonValue.of("f32"));
        all.put("kv", JsonValue.of("f32"));
        all.putAll(changed);
        return all.entrySet().stream().map(e -> e.getKey() + ": " + plain(e.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String plain(JsonValue value) {
        return value instanceof JsonValue.Str s ? s.value() : Json.canonical(value);
    }

    /** A value that is YAML already. */
    public Template set(String place, String yaml) {
        values.put(place, yaml);
        return this;
    }

    /** A value that is a text: quoted as JSON, which YAML reads alike. */
    public Template text(String place, String value) {
        return set(place, Json.canonical(value));
    }

    /** A list of texts. */
    public Template list(String place, List<String> items) {
        return set(place, items.stream().map(Json::canonical).collect(Collectors.joining(", ", "[", "]")));
    }

    /** A list of numbers. */
    public Template numbers(String place, List<Double> items) {
        return set(place, items.stream().map(Json::canonical).collect(Collectors.joining(", ", "[", "]")));
    }

    /** The objective. */
    public Template objective(String metric, double minEffect) {
        return set("objective_metric", metric).set("min_effect", Json.canonical(minEffect));
    }

    /** The one constraint. */
    public Template constraint(String metric, double margin, List<Double> points) {
        return set("constraints", "\n  - metric: " + metric + "\n    margin: " + Json.canonical(margin)
                + "\n    load_points: "
                + points.stream().map(Json::canonical).collect(Collectors.joining(", ", "[", "]")));
    }

    /** Both arms' commands or URLs. */
    public Template arms(String baseline, String candidate) {
        return set("baseline", arm(baseline)).set("candidate", arm(candidate));
    }

    private static String arm(String commandOrUrl) {
        boolean url = commandOrUrl.startsWith("http://") || commandOrUrl.startsWith("https://");
        return (url ? "url: " : "command: ") + Json.canonical(commandOrUrl);
    }

    /** Settings that differ in the batch cap or in the weight format. */
    public Template settings(int baselineCap, int candidateCap, int budget, int page, String baselineWeights,
            String candidateWeights) {
        return set("baseline_settings", settings(baselineCap, budget, page, baselineWeights))
                .set("candidate_settings", settings(candidateCap, budget, page, candidateWeights));
    }

    /** Settings as before, with other page sizes. */
    public Template pages(int baseline, int candidate) {
        values.computeIfPresent("baseline_settings", (_, v) -> page(v, baseline));
        values.computeIfPresent("candidate_settings", (_, v) -> page(v, candidate));
        return this;
    }

    private static String page(String settings, int page) {
        return settings.replaceFirst("block_size: [0-9]+", "block_size: " + page);
    }

    private static String settings(int cap, int budget, int page, String weights) {
        return "{max_num_seqs: " + cap + ", max_num_batched_tokens: " + budget + ", block_size: " + page
                + ", weights: " + weights + ", kv: f32}";
    }

    /** The text of the file. */
    public String render() {
        Matcher place = PLACE.matcher(Resources.text(Template.class, "review.yaml.template"));
        StringBuilder text = new StringBuilder();
        while (place.find()) {
            String value = values.get(place.group(1));
            if (value == null) {
                throw new IllegalStateException("the template's place " + place.group(1) + " has no value");
            }
            place.appendReplacement(text, Matcher.quoteReplacement(value));
        }
        return place.appendTail(text).toString();
    }
}
