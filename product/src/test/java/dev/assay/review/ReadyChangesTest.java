package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.forecast.Forecast;
import dev.assay.forecast.Limiter;
import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.PointForecast;
import dev.assay.forecast.Quantity;
import dev.assay.json.Json;
import dev.assay.model.ModelShape;
import dev.assay.review.Expectation.Band;
import dev.assay.review.Proposal.ChangeKind;
import dev.assay.review.Proposal.Tightening;
import dev.assay.stats.DetectionLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyChangesTest {
    private static final Set<String> TELEMETRY = Set.of("step_time_ms", "weight_bytes_per_step",
            "resident_weight_bytes", "kv_bytes_per_step", "decode_rows_per_step", "tokens_per_step",
            "kv_cache_usage_peak", "itl_mean_ms");
    private static final double LIMIT = 0.05;

    private static String yaml(ChangeKind kind) {
        return Template.of(kind).arms("server --port {port}", "server --port {port} --new").render();
    }

    private static Proposal proposal(String yaml) {
        return Json.bind(Json.parseYaml(yaml, "review.yaml"), Proposal.class);
    }

    private static Forecast forecast(Proposal proposal, double tpot) {
        LimiterForecast l = new LimiterForecast(Limiter.COMPUTE, 0.5, Limiter.LAUNCH, 0.2);
        Map<String, Quantity> ratio = new HashMap<>();
        for (Metric m : Metric.values()) {
            ratio.put(m.id(), new Quantity(tpot, tpot * 0.9, tpot * 1.1));
        }
        return new Forecast(0.9, proposal.loadPoints().stream().map(rate -> new PointForecast(rate, Map.of(),
                Map.of(), ratio, l, l, Map.of("tpot_p50_ms", LIMIT))).toList(), List.of(), List.of());
    }

    private static List<Claim> claims(Proposal proposal, double tpot) {
        return Claims.of(proposal, forecast(proposal, tpot), TELEMETRY);
    }

    private static Claim claim(List<Claim> claims, String id) {
        return claims.stream().filter(c -> c.id().equals(id)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(ChangeKind.class)
    void everyTemplateIsLintCleanOnceItsCommandsAreFilledIn(ChangeKind kind) {
        Lint.Result filled = Lint.check(proposal(yaml(kind)));
        assertThat(filled.refusals()).isEmpty();
        assertThat(filled.remarks()).isEmpty();
        assertThat(Lint.check(proposal(Template.of(kind).render())).refusals()).singleElement().asString()
                .contains("still the template's 'your-server'");
        String page = ReadyChange.of(kind).page();
        assertThat(yaml(kind)).contains("docs/changes/" + page + ".md");
        assertThat(Path.of("..", "docs", "changes", page + ".md")).exists();
    }

    /** Causes before effects; each claim follows from one that stands before it and says what refutes it. */
    @ParameterizedTest
    @EnumSource(ChangeKind.class)
    void theReadySetIsAChain(ChangeKind kind) {
        Proposal p = proposal(yaml(kind));
        List<Claim> claims = claims(p, 0.9);
        for (int i = 0; i < claims.size(); i++) {
            Claim c = claims.get(i);
            assertThat(c.rejectedIf()).isNotBlank();
            List<String> before = claims.subList(0, i).stream().map(Claim::id).toList();
            assertThat(before).containsAll(c.follows());
            assertThat(c.follows().isEmpty()).isEqualTo(c.level() == Level.CORRECTNESS);
        }
        assertThat(claims.stream().map(Claim::id)).doesNotHaveDuplicates()
                .contains("outputs", "mechanism", "objective", "limiter-candidate");
        List<String> fixed = ReadyChange.of(kind).unchanged().stream().map(m -> "unchanged-" + m).toList();
        assertThat(claims.stream().map(Claim::id)).containsAll(fixed);
        String kept = claims.stream().filter(c -> c.expectation() instanceof Expectation.NotWorse)
                .map(Claim::id).findFirst().orElseThrow();
        assertThat(kept).startsWith("keep-");
    }

    @Test
    void weightBytesMayNotMoveWhereTheChangeDoesNotTouchThem() {
        Claim c = claim(claims(proposal(yaml(ChangeKind.KV_QUANTIZATION)), 1),
                "unchanged-weight_bytes_per_step");
        assertThat(((Expectation.Within) c.expectation()).bands())
                .allSatisfy(b -> assertThat(b).isEqualTo(new Band(b.offeredRps(), 0.99, 1, 1.01, 0)));
        assertThat(c.decisive()).isFalse();
    }

    /** The number of blocks named is the first at which a one-sided noncentral-t power of 80 % is reached. */
    @Test
    void anEffectUnderTheDetectionLimitNamesWhatCouldDecideIt() {
        Proposal p = proposal(yaml(ChangeKind.BATCH_CAP));
        String statement = claim(claims(p, 0.97), "tpot_p50_ms").statement();
        double sd = Math.log1p(LIMIT) / DetectionLimit.of(6, 1, 0.95, 0.8).orElseThrow();
        int blocks = 6;
        while (DetectionLimit.of(blocks, sd, 0.95, 0.8).orElseThrow() > -Math.log(0.97)) {
            blocks++;
        }
        assertThat(statement).contains("At every load point the effect lies under what 6 blocks can show")
                .contains("×0.970, limit ×0.952").contains("about " + blocks + " blocks would decide it");
        assertThat(claim(claims(p, 0.9999), "tpot_p50_ms").statement())
                .contains("a measurement of the part itself");
        assertThat(claim(claims(p, 0.8), "tpot_p50_ms").statement()).doesNotContain("lies under");
    }

    private static Proposal tightening(String claims) {
        return proposal(yaml(ChangeKind.BATCH_CAP) + claims);
    }

    @Test
    void aReadyClaimMayBeTightened() {
        Proposal p = tightening("claims:\n  - id: tpot_p50_ms\n    low: 0.85\n    load_points: [4]\n");
        List<Claim> claims = claims(p, 0.9);
        Claim tight = claim(claims, "tpot_p50_ms");
        assertThat(((Expectation.Within) tight.expectation()).bands().stream().map(Band::low))
                .containsExactly(0.81, 0.85, 0.81, 0.81);
        assertThat(tight.statement()).endsWith("Its interval is the author's.");
        assertThat(Tightenings.refusals(p, Optional.of(prediction(claims)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "low: 0.5|widens the ready claim 'tpot_p50_ms', which is [0.810, 0.990] at 2.00/s",
            "high: 1.2|widens the ready claim 'tpot_p50_ms'", "drop: true|may be tightened, not dropped",
            "load_points: [4]|states neither low nor high",
            "low: 0.85, load_points: [5]|names 5.0, which is not in load_points"})
    void aReadyClaimIsNeitherWidenedNorDropped(String line) {
        String[] parts = line.split("\\|");
        Proposal p = tightening("claims:\n  - {id: tpot_p50_ms, " + parts[0] + "}\n");
        List<Claim> claims = claims(p, 0.9);
        assertThat(claim(claims, "tpot_p50_ms").expectation())
                .isEqualTo(claim(claims(proposal(yaml(ChangeKind.BATCH_CAP)), 0.9), "tpot_p50_ms")
                        .expectation());
        assertThat(Lint.check(p, Optional.of(prediction(claims))).refusals()).first().asString()
                .startsWith("field 'claims[0]' ").contains(parts[1]).doesNotContain("\n");
    }

    @Test
    void onlyClaimsWithAnIntervalCanBeTightened() {
        Proposal p = tightening("claims:\n  - {id: limiter-candidate, low: 1}\n");
        assertThat(Tightenings.refusals(p, Optional.of(prediction(claims(p, 0.9))))).singleElement()
                .asString()
                .contains("no ready claim with an interval; expected one of mechanism, unchanged-");
    }

    private static Prediction prediction(List<Claim> claims) {
        Prediction old = example("llama-cpp-q8-0");
        return new Prediction(old.shape(), old.promptSizing(), old.calibration(), old.forecast(), claims,
                old.premises(), Optional.empty());
    }

    private static Path examples() {
        return Path.of("..", "docs", "examples");
    }

    private static Prediction example(String name) {
        return Json.readFile(examples().resolve(name).resolve("prediction.json"), Prediction.class);
    }

    /** What was sealed before there were ten kinds keeps its digests: new fields are absent, not null or 0. */
    @ParameterizedTest
    @ValueSource(strings = {"llama-cpp-q8-0", "vllm-max-num-seqs-2-to-8"})
    void sealedReviewsOfBeforeKeepTheirDigests(String name) throws IOException {
        Path review = examples().resolve(name);
        String journal = Files.readString(review.resolve("journal.jsonl"));
        Proposal proposal = Json.readFile(review.resolve("review.yaml"), Proposal.class);
        assertThat(journal).contains("\"proposal\":\"" + Json.digest(proposal) + "\"")
                .contains("\"prediction\":\"" + Json.digest(example(name)) + "\"");
    }

    @Test
    void hiddenKnobsAreNamed() {
        String yaml = Template.of(ChangeKind.BATCH_CAP)
                .arms("server --port {port} -t 1 --max-model-len 512",
                        "server --port {port} -t 2 --max-model-len=512")
                .render();
        assertThat(Lint.check(proposal(yaml)).refusals()).singleElement().asString()
                .contains("the arms differ in threads, which the forecast ignores");
    }

    @Test
    void theKindMustBeTheSettingThatDiffers() {
        String yaml = yaml(ChangeKind.BATCH_CAP).replace("change: batch_cap", "change: kv_quantization");
        assertThat(Lint.check(proposal(yaml)).refusals()).singleElement().asString()
                .contains("field 'change' is kv_quantization and both arms have the same kv");
        String unmeasured = yaml(ChangeKind.SPECULATIVE_DECODING).replaceAll("(?s)\nmeasured:.*?\n\n", "\n");
        assertThat(Lint.check(proposal(unmeasured)).refusals()).singleElement().asString()
                .contains("the arms differ in speculative_tokens").contains("measured.speculation");
        String unshared = yaml(ChangeKind.PREFIX_CACHING).replaceAll("  prefix_(tokens|groups): .*\n", "");
        assertThat(Lint.check(proposal(unshared)).refusals()).singleElement().asString()
                .contains("field 'workload.prefix_tokens' is missing");
    }

    /** A step of half the time that the weights take at 40 GB/s is a fault, one of 1.05 times it is not. */
    @Test
    void aStepFasterThanItsBytesIsAFaultOfTheMeasurement() {
        ModelShape shape = example("llama-cpp-q8-0").shape();
        Proposal p = proposal(yaml(ChangeKind.BATCH_CAP) + "measured:\n  bandwidth_gb_per_s: 40\n");
        double floorMs = 4.0 * shape.matmulWeights() / 40e9 * 1e3;
        List<SlotResult> slots = FloorCheck.mark(p, shape, List.of(slot(floorMs / 2), slot(1.05 * floorMs)));
        assertThat(slots.get(0).admissible()).isFalse();
        assertThat(slots.get(0).summary().validity().getLast().detail())
                .contains("is faster than its bytes at 40.00 GB/s").contains("a fault of the measurement")
                .doesNotContain("\n");
        assertThat(slots.get(1).admissible()).isTrue();
        Proposal silent = proposal(yaml(ChangeKind.BATCH_CAP));
        assertThat(FloorCheck.mark(silent, shape, List.of(slot(1e-6)))).containsExactly(slot(1e-6));
    }

    private static SlotResult slot(double stepMs) {
        SlotResult s = Fixtures.slot(0, 0, Arm.BASELINE, 0, 1);
        return new SlotResult(s.key(), s.offeredRps(), s.summary(), Map.of("step_time_ms", stepMs),
                s.evidence());
    }

    /** Servers report accepted over drafted: (0.5 + 0.25 + 0.125) / 3. */
    @Test
    void premisesFollowTheChange() {
        assertThat(Premises.accepted(0.5, 3)).isCloseTo(0.875 / 3, within(1e-12));
        Proposal drafting = proposal(yaml(ChangeKind.SPECULATIVE_DECODING));
        Prediction.Premise acceptance = Premises.of(drafting).getLast();
        assertThat(acceptance.arm()).hasValue(Arm.CANDIDATE);
        assertThat(acceptance.least().orElseThrow()).isCloseTo(Premises.accepted(0.55, 3), within(1e-12));
        SlotResult s = Fixtures.slot(0, 0, Arm.CANDIDATE, 0, 1);
        SlotResult low = new SlotResult(s.key(), 1, s.summary(), Map.of("spec_acceptance_rate", 0.1),
                List.of());
        assertThat(Premises.broken(List.of(acceptance), List.of(low)).orElseThrow())
                .contains("premise acceptance: 0.1").contains("at least");
        List<Prediction.Premise> caching = Premises.of(proposal(yaml(ChangeKind.PREFIX_CACHING)));
        assertThat(caching.get(0).arm()).hasValue(Arm.BASELINE);
        assertThat(caching.get(0).bound()).isEqualTo(0.05);
        // Groups of 128 tokens before about 76 of their own: at most 128 / 204 of the tokens are common.
        assertThat(caching.get(1).least()).isNotEqualTo(OptionalDouble.empty());
        assertThat(caching.get(1).bound()).isBetween(0.4, 0.68);
    }

    @Test
    void aTighteningWithItsBoundsSwappedIsRefusedWhereItStands() {
        assertThat(new Tightening("x", OptionalDouble.of(1), OptionalDouble.empty(), Optional.empty(),
                Optional.empty()).low()).hasValue(1);
        org.assertj.core.api.Assertions
                .assertThatThrownBy(() -> tightening("claims:\n  - {id: a, low: 2, high: 1}\n"))
                .hasMessageContaining("claim 'a' has low 2.0 above high 1.0")
                .hasMessageContaining("review.yaml:");
    }
}
