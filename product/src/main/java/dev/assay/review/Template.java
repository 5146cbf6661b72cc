package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
        t.set("seed", "1");
        t.list("telemetry", List.of("TTFT and TPOT p95 by class", "error share", "requests waiting",
                "KV pages in use"));
        t.text("rollback_trigger", "share of good requests falls 2 points below the control's for 5 minutes");
        t.text("rollback_how", "restore the previous flags and restart the pool, one host at a time");
        t.text("currency", "USD").set("per_hour", "0.10");
        t.set("baseline", "command: \"your-server --port {port}\"");
        t.set("candidate", "command: \"your-server --port {port} --the-change\"");
        t.settings(8, 8, 256, 16, "f32", "f32");
        t.constraint("tpot_p50_ms", 0.10, List.of());
        t.perChange(change);
        return t;
    }

    private void perChange(Proposal.ChangeKind change) {
        switch (change) {
            case BATCH_CAP -> {
                text("title", "Raise the decode batch cap");
                text("explanation",
                        "More sequences share each read of the weights, so a step makes more tokens for"
                                + " little more time; requests wait less for a slot, and more of them meet their objective.");
                objective("goodput_rps", 1.05);
            }
            case TOKEN_BUDGET -> {
                text("title", "Change the token budget of a step");
                text("explanation",
                        "A larger budget prefills a prompt in fewer steps, so the first token comes sooner;"
                                + " each mixed step takes longer, so tokens of running requests come later.");
                objective("ttft_p50_ms", 0.9);
            }
            case PAGE_SIZE -> {
                text("title", "Change the size of a KV page");
                text("explanation",
                        "Smaller pages waste less of the KV pool in each sequence's last page, so more"
                                + " sequences fit; tables and look-ups grow.");
                objective("goodput_rps", 1.05);
            }
            case WEIGHT_QUANTIZATION -> {
                text("title", "Serve with quantized weights");
                text("explanation",
                        "A decode step reads every weight once; fewer bits per weight are fewer bytes, so a"
                                + " step that waits for memory gets shorter. Unpacking costs compute, which shows in full batches.");
                objective("tpot_p50_ms", 0.9);
                set("exact", "false").set("max_nll", "\n  max_nll_increase: 0.02\n  max_kl: 0.001");
            }
        }
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
        Matcher place = PLACE.matcher(source());
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

    private static String source() {
        try (InputStream in = Template.class.getResourceAsStream("review.yaml.template")) {
            if (in == null) {
                throw new IllegalStateException("review.yaml.template is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw AssayException.environment("review.yaml.template cannot be read", e);
        }
    }
}
