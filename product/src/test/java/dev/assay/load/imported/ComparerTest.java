package dev.assay.load.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.load.imported.Comparison.Caveat;
import dev.assay.load.imported.Comparison.Finding;
import dev.assay.load.imported.Comparison.Point;
import dev.assay.load.imported.Comparison.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComparerTest {
    private static final Formula TTFT = Formula.TTFT_CONTENT_SENT;

    private static List<ImportedRun> repeats(int n, Function<Integer, Sample> make) {
        return IntStream.range(0, n).mapToObj(i -> make.apply(i).build()).toList();
    }

    private static Point only(List<ImportedRun> a, List<ImportedRun> b, String... allowed) {
        CompareOptions options = new CompareOptions(0.95, 0.05, Set.of(allowed), Set.of());
        Comparison c = Comparer.compare(a, b, options);
        assertThat(c.points()).hasSize(1);
        return c.points().getFirst();
    }

    private static List<String> blocking(Point p) {
        return p.caveats().stream().filter(Caveat::blocks).map(Caveat::code).toList();
    }

    private static List<String> codes(Point p) {
        return p.caveats().stream().map(Caveat::code).toList();
    }

    @Test
    void alternatingRepeatsGetAVerdict() {
        List<ImportedRun> a = repeats(4, i -> Sample.run().mean(TTFT, 20 + i).minute(4 * i));
        List<ImportedRun> b = repeats(4, i -> Sample.run().mean(TTFT, 10 + i).minute(4 * i + 2));
        Point p = only(a, b);
        assertThat(blocking(p)).isEmpty();
        Row row = p.rows().getFirst();
        assertThat(row.finding()).isEqualTo(Finding.LOWER);
        assertThat(row.better()).contains(true);
        // Two of 70 ways to label eight separated values; one row, so Holm changes nothing.
        assertThat(row.p().orElseThrow()).isCloseTo(2.0 / 70, within(1e-12));
        assertThat(row.pHolm().orElseThrow()).isCloseTo(2.0 / 70, within(1e-12));
        // Geometric means by hand: (10*11*12*13)^(1/4) / (20*21*22*23)^(1/4).
        assertThat(row.ratio().orElseThrow()).isCloseTo(Math.pow(17160.0 / 212520.0, 0.25), within(1e-12));
    }

    @Test
    void throughputIsBetterWhereItIsHigher() {
        List<ImportedRun> a = repeats(4, i -> Sample.run().whole(Formula.OUTPUT_OVER_WINDOW, 20 + i));
        List<ImportedRun> b = repeats(4, i -> Sample.run().whole(Formula.OUTPUT_OVER_WINDOW, 30 + i));
        Row row = only(a, b).rows().getFirst();
        assertThat(row.finding()).isEqualTo(Finding.HIGHER);
        assertThat(row.better()).contains(true);
    }

    @Test
    void oneRunASideIsADescription() {
        Point p = only(repeats(1, i -> Sample.run().mean(TTFT, 20)),
                repeats(1, i -> Sample.run().mean(TTFT, 10)));
        assertThat(blocking(p)).containsExactly("no_repeats");
        Row row = p.rows().getFirst();
        assertThat(row.finding()).isEqualTo(Finding.NONE);
        assertThat(row.interval()).isEmpty();
        assertThat(row.p()).isEmpty();
        assertThat(row.ratio().orElseThrow()).isCloseTo(0.5, within(1e-12));
    }

    @Test
    void threeRepeatsCannotReachFivePercent() {
        Point p = only(repeats(3, i -> Sample.run().mean(TTFT, 20 + i)),
                repeats(3, i -> Sample.run().mean(TTFT, 10 + i)));
        assertThat(codes(p)).contains("few_repeats");
        assertThat(p.rows().getFirst().finding()).isEqualTo(Finding.NONE);
        assertThat(p.caveats().stream().filter(c -> c.code().equals("few_repeats")).findFirst().orElseThrow()
                .text())
                .contains("Needed: 4 runs a side for one row");
    }

    @Test
    void allOfAThenAllOfBIsConfoundedWithTime() {
        List<ImportedRun> a = repeats(4, i -> Sample.run().mean(TTFT, 20 + i).minute(i));
        List<ImportedRun> b = repeats(4, i -> Sample.run().mean(TTFT, 10 + i).minute(10 + i));
        assertThat(blocking(only(a, b))).containsExactly("order");
        assertThat(only(a, b).rows().getFirst().finding()).isEqualTo(Finding.NONE);
        assertThat(blocking(only(b, a))).containsExactly("order");
        assertThat(only(a, b, "order").rows().getFirst().finding()).isEqualTo(Finding.LOWER);
    }

    @Test
    void whatMakesTheLoadDifferentIsNamed() {
        Function<Integer, Sample> base = i -> Sample.run().mean(TTFT, 20 + i);
        List<ImportedRun> a = repeats(4, i -> Sample.run().mean(TTFT, 30 + i));
        assertThat(blocking(only(a, repeats(4, i -> base.apply(i).fact(Fact.RATE, "8"))))).containsExactly(
                "differs_rate");
        assertThat(blocking(only(a, repeats(4, i -> base.apply(i).fact(Fact.MODEL, "n"))))).containsExactly(
                "differs_model");
        assertThat(blocking(only(a, repeats(4, i -> base.apply(i).fact(Fact.MODEL, "n")), "model")))
                .isEmpty();
        assertThat(blocking(only(a, repeats(4, i -> base.apply(i).fact(Fact.MEAN_OUTPUT_TOKENS, "40")))))
                .containsExactly("differs_mean_output_tokens");
        assertThat(blocking(only(a, repeats(4, i -> base.apply(i).fact(Fact.MEAN_OUTPUT_TOKENS, "32.3")))))
                .isEmpty();
        assertThat(blocking(only(a, repeats(4, i -> base.apply(i).tool(Tool.AIPERF)))))
                .containsExactly("tool");
        assertThat(blocking(only(a, repeats(4, i -> base.apply(i).fact(Fact.MODEL, "m" + i)))))
                .contains("varies_model", "differs_model");
    }

    @Test
    void runsThatFailedOrAreInvalidStandAgainstAVerdict() {
        List<ImportedRun> a = repeats(4, i -> Sample.run().mean(TTFT, 20 + i));
        List<ImportedRun> failing = repeats(4,
                i -> Sample.run().mean(TTFT, 10 + i).counts(900, OptionalLong.of(100)));
        assertThat(blocking(only(a, failing))).containsExactly("failure_share");
        List<ImportedRun> unknown = repeats(4,
                i -> Sample.run().mean(TTFT, 10 + i).counts(900, OptionalLong.empty()));
        assertThat(blocking(only(a, unknown))).isEmpty();
        assertThat(codes(only(a, unknown))).contains("failures_unknown");
        List<ImportedRun> invalid = repeats(4, i -> Sample.run().mean(TTFT, 10 + i).invalid("x"));
        assertThat(blocking(only(a, invalid))).containsExactly("invalid");
    }

    @Test
    void oneRunGivenTwiceIsNoRepeat() {
        List<ImportedRun> a = repeats(4, i -> Sample.run().mean(TTFT, 20 + i));
        List<ImportedRun> doubled = repeats(4, i -> Sample.run().mean(TTFT, 10 + i % 3));
        assertThat(blocking(only(a, doubled))).containsExactly("same_run");
        assertThat(blocking(only(a, a))).containsExactly("same_run");
    }

    @Test
    void percentilesBelowTheirFloorGetNoVerdict() {
        List<ImportedRun> a = repeats(5, i -> Sample.run().counts(500, OptionalLong.of(0))
                .p(TTFT, 95, QuantileRule.LINEAR, 20 + i).p(TTFT, 99, QuantileRule.LINEAR, 20 + i));
        List<ImportedRun> b = repeats(5, i -> Sample.run().counts(500, OptionalLong.of(0))
                .p(TTFT, 95, QuantileRule.LINEAR, 10 + i).p(TTFT, 99, QuantileRule.LINEAR, 10 + i));
        List<Row> rows = only(a, b).rows();
        assertThat(rows.get(0).finding()).as("p95 needs 130").isEqualTo(Finding.LOWER);
        assertThat(rows.get(1).finding()).as("p99 needs 662").isEqualTo(Finding.NONE);
        assertThat(rows.get(1).reason()).isEqualTo("too few requests");
    }

    /** MLCommons endpoints' floors: p90 64, p95 130, p99 662, p99.9 6,636. */
    @Test
    void floorsAreTheEndpointsOnes() {
        assertThat(IntStream.of(90, 95, 99).map(p -> Rows.floor(Statistic.p(p)))).containsExactly(64, 130,
                662);
        assertThat(Rows.floor(Statistic.p(99.9))).isEqualTo(6636);
    }

    @Test
    void differentFormulasAndQuantileRulesAreRefusedAndNamed() {
        Point p = only(
                repeats(1, i -> Sample.run().mean(Formula.NTPOT_PROCESS, 5).mean(Formula.TPOT_CONTENT, 4)
                        .p(TTFT, 50, QuantileRule.LINEAR, 20)),
                repeats(1, i -> Sample.run().mean(Formula.TPOT_TOKEN_WEIGHTED, 4)
                        .p(TTFT, 50, QuantileRule.INVERSE_CDF, 20).whole(Formula.GOOD_PER_SECOND, 1)));
        assertThat(p.rows()).isEmpty();
        assertThat(p.refused()).extracting(r -> r.metric()).containsExactly(Family.TTFT, Family.TPOT);
        assertThat(p.refused().get(0).reason()).contains("quantile rule");
        assertThat(p.refused().get(1).a()).isEqualTo(Formula.TPOT_CONTENT.text());
        assertThat(p.refused().get(1).b()).isEqualTo(Formula.TPOT_TOKEN_WEIGHTED.text());
        assertThat(p.onlyA()).containsExactly("NTPOT");
        assertThat(p.onlyB()).containsExactly("goodput");
    }

    @Test
    void unstatedFormulasCompareWithinOneToolOnly() {
        List<ImportedRun> a = repeats(1, i -> Sample.run().mean(Formula.TTFT_VLLM_UNSTATED, 5));
        assertThat(only(a, a).rows()).hasSize(1);
        Point p = only(a, repeats(1, i -> Sample.run().tool(Tool.LLM_D).mean(Formula.TTFT_VLLM_UNSTATED, 5)));
        assertThat(p.rows()).isEmpty();
        assertThat(p.refused().getFirst().reason()).isEqualTo("the formula is not stated");
    }

    @Test
    void sweepsArePairedByLoadPoint() {
        List<ImportedRun> a = new ArrayList<>();
        List<ImportedRun> b = new ArrayList<>();
        for (String rate : List.of("1", "2", "4")) {
            a.add(Sample.run().fact(Fact.RATE, rate).mean(TTFT, 1).build());
        }
        for (String rate : List.of("2", "4", "8")) {
            b.add(Sample.run().fact(Fact.RATE, rate).mean(TTFT, 2).build());
        }
        Comparison c = Comparer.compare(a, b, CompareOptions.DEFAULT);
        assertThat(c.points()).extracting(Point::load).containsExactly("2 requests/s, poisson",
                "4 requests/s, poisson");
        assertThat(c.unmatched()).containsExactly("only in A: 1 requests/s, poisson",
                "only in B: 8 requests/s, poisson");
        assertThat(c.verdicts()).isZero();
    }

    /** The same arm on both sides: with eight rows and six repeats, at most 5 % of comparisons name any difference. */
    @Test
    void aaComparisonsAreWrongAtMostAsOftenAsStated() {
        SplittableRandom random = new SplittableRandom(11);
        int wrong = 0;
        int comparisons = 400;
        for (int k = 0; k < comparisons; k++) {
            List<ImportedRun> a = repeats(6, i -> noisy(random));
            List<ImportedRun> b = repeats(6, i -> noisy(random));
            wrong += only(a, b).rows().stream().anyMatch(r -> r.better().isPresent()) ? 1 : 0;
        }
        assertThat(wrong)
                .isLessThanOrEqualTo((int) (comparisons * 0.05 + 3 * Math.sqrt(comparisons * 0.05 * 0.95)));
    }

    private static Sample noisy(SplittableRandom random) {
        Sample run = Sample.run();
        for (Formula f : List.of(TTFT, Formula.TPOT_CONTENT, Formula.E2E_CONTENT_SENT, Formula.ITL_CHUNKS)) {
            run.mean(f, 10 * Math.exp(0.1 * random.nextDouble()))
                    .p(f, 50, QuantileRule.LINEAR, 10 * Math.exp(0.2 * random.nextDouble()));
        }
        return run;
    }
}
