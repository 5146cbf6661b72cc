package dev.assay.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class QualityComparisonTest {
    private static final QualitySettings SETTINGS = new QualitySettings(8, 8, 64, 3, 0.95, 400, 7);

    private static TokenLogprob token(String name, double probability) {
        return new TokenLogprob(name, Math.log(probability));
    }

    private static GreedyOutput output(String id, String... tokens) {
        return new GreedyOutput(id, "p " + id, List.of(tokens),
                Optional.of(java.util.Collections.nCopies(tokens.length, -0.5)),
                String.join("", tokens));
    }

    @Test
    void greedyOutputsAreComparedTokenByToken() {
        GreedyComparison c = GreedyComparison.compare(
                List.of(output("a", "x", "y", "z"), output("b", "x", "y")),
                List.of(output("b", "x", "q", "r"), output("a", "x", "y", "z")));
        assertThat(c.unit()).isEqualTo(GreedyComparison.Unit.TOKENS);
        assertThat(c.prompts()).containsExactly(
                new GreedyComparison.PromptComparison("a", true, Optional.empty(), 3, 3, 3),
                new GreedyComparison.PromptComparison("b", false, Optional.of(1), 1, 2, 3));
        assertThat(c.identical()).isEqualTo(1);
        assertThat(c.matched()).isEqualTo(4);
        assertThat(c.compared()).isEqualTo(6);
        // One output is a prefix of the other: not identical.
        assertThat(GreedyComparison.compare(List.of(output("a", "x")), List.of(output("a", "x", "y")))
                .prompts().getFirst()
                .firstDivergence()).contains(1);
    }

    @Test
    void withoutTokensTheCodePointsAreCompared() {
        GreedyOutput plain = new GreedyOutput("a", "p a", List.of("n", "a", "\u00ef", "\ud83d\ude00"),
                Optional.empty(), "na\u00ef\ud83d\ude00");
        GreedyComparison c = GreedyComparison.compare(List.of(plain), List.of(output("a", "na\u00ef", "!")));
        assertThat(c.unit()).isEqualTo(GreedyComparison.Unit.CODE_POINTS);
        assertThat(c.prompts())
                .containsExactly(new GreedyComparison.PromptComparison("a", false, Optional.of(3), 3, 4, 4));
    }

    @Test
    void differentPromptsCannotBeCompared() {
        assertThatThrownBy(
                () -> GreedyComparison.compare(List.of(output("a", "x")), List.of(output("b", "x"))))
                .hasMessage("prompt 'a': expected the same prompt in the candidate's outputs");
        assertThatThrownBy(
                () -> GreedyComparison.compare(List.of(output("a", "x")),
                        List.of(output("a", "x"), output("b", "x"))))
                .hasMessage("prompt 'b': expected it once in each arm's outputs");
    }

    /** By hand: shared x, y of (.5, .25) and (.4, .4) renormalise to (2/3, 1/3) and (1/2, 1/2). */
    @Test
    void divergenceByHand() {
        PositionDifference d = PositionDifference.of(new TeacherForcing.Position("a", 0, "p", "x"),
                List.of(token("x", .5), token("y", .25), token("z", .1)),
                List.of(token("x", .4), token("y", .4), token("w", .15)));
        assertThat(d.kl().orElseThrow())
                .isCloseTo(2.0 / 3 * Math.log(4.0 / 3) + 1.0 / 3 * Math.log(2.0 / 3), within(1e-12));
        assertThat(d.difference()).isCloseTo(Math.log(.4 / .5), within(1e-12));
        assertThat(d.shared()).isEqualTo(2);
        assertThat(d.sameTop()).isTrue();
        assertThat(d.candidateFloored()).isFalse();
    }

    /** By hand: z is not among the candidate's; what is left is 1 - .4 - .4 - .15 = .05, less than the least listed. */
    @Test
    void aTokenOutsideTheAlternativesGetsTheLargestValueItCanHave() {
        PositionDifference d = PositionDifference.of(new TeacherForcing.Position("a", 0, "p", "z"),
                List.of(token("z", .5), token("y", .25)),
                List.of(token("y", .4), token("x", .4), token("w", .15)));
        assertThat(d.difference()).isCloseTo(Math.log(.05 / .5), within(1e-9));
        assertThat(d.candidateFloored()).isTrue();
        assertThat(d.baselineFloored()).isFalse();
        assertThat(d.kl()).isEmpty();
        assertThat(d.sameTop()).isFalse();
        assertThat(PositionDifference.bound(List.of(token("x", .3), token("y", .2)))).isCloseTo(Math.log(.2),
                within(1e-12));
    }

    @Test
    void equalDistributionsHaveNoDivergence() {
        List<TokenLogprob> top = List.of(token("x", .3), token("y", .2), token("z", .1));
        PositionDifference d = PositionDifference.of(new TeacherForcing.Position("a", 0, "p", "x"), top, top);
        assertThat(d.kl()).hasValue(0);
        assertThat(d.difference()).isZero();
    }

    @Test
    void thePlanSkipsWhatIsNoTextAndKeepsToItsLimits() {
        GreedyOutput split = new GreedyOutput("a", "p ", List.of("n", "bytes:\\xc3", "bytes:\\xaf", "f"),
                Optional.of(List.of(-1.0, -1.0, -1.0, -1.0)), "n\u00eff");
        TeacherForcing plan = TeacherForcing.of(List.of(split), SETTINGS);
        assertThat(plan.positions()).extracting(TeacherForcing.Position::prefix).containsExactly("p ", "p n",
                "p n\u00ef");
        assertThat(plan.skippedText()).isEqualTo(1);
        GreedyOutput hidden = new GreedyOutput("b", "p ", List.of("n", "\uFFFD", "f"),
                Optional.of(List.of(-1.0, -1.0, -1.0)),
                "n\uFFFDf");
        assertThat(TeacherForcing.of(List.of(hidden), SETTINGS).skippedText()).isEqualTo(2);
        TeacherForcing bounded = TeacherForcing.of(
                List.of(output("a", "x", "y", "z"), output("b", "x", "y", "z")),
                new QualitySettings(8, 2, 3, 3, .95, 10, 1));
        assertThat(bounded.positions()).extracting(p -> p.promptId() + p.index()).containsExactly("a0", "a1",
                "b0");
        assertThat(bounded.skippedLimit()).isEqualTo(3);
        GreedyOutput plain = new GreedyOutput("a", "p", List.of("x"), Optional.empty(), "x");
        assertThat(TeacherForcing.of(List.of(plain), SETTINGS).untokenized()).isEqualTo(1);
    }

    /** Two prompts of one position each: the mean is that of the two differences, ln .8 and ln 1.2. */
    @Test
    void theReportReproducesFromItsStoredForm() {
        QualityReport report = QualityReport.recompute(raw());
        LikelihoodComparison likelihood = report.likelihood();
        assertThat(likelihood.meanDifference().orElseThrow()).isCloseTo((Math.log(.8) + Math.log(1.2)) / 2,
                within(1e-12));
        assertThat(likelihood.perplexityRatio().orElseThrow()).isCloseTo(1 / Math.sqrt(.96), within(1e-12));
        assertThat(likelihood.interval().orElseThrow().low()).isCloseTo(Math.log(.8), within(1e-12));
        assertThat(likelihood.interval().orElseThrow().high()).isCloseTo(Math.log(1.2), within(1e-12));
        assertThat(likelihood.perplexityInterval().orElseThrow().low()).isCloseTo(1 / 1.2, within(1e-12));
        assertThat(likelihood.fewestAlternatives()).isEqualTo(2);
        // (5/8, 3/8) against (4/7, 3/7), and against (2/3, 1/3).
        double first = 5.0 / 8 * Math.log(35.0 / 32) + 3.0 / 8 * Math.log(7.0 / 8);
        double second = 5.0 / 8 * Math.log(15.0 / 16) + 3.0 / 8 * Math.log(9.0 / 8);
        assertThat(likelihood.meanKl().orElseThrow()).isCloseTo((first + second) / 2, within(1e-12));
        assertThat(likelihood.maxKl().orElseThrow()).isCloseTo(Math.max(first, second), within(1e-12));
        assertThat(likelihood.klInterval().orElseThrow().low()).isCloseTo(Math.min(first, second),
                within(1e-12));
        QualityReport stored = Json.read(Json.canonical(report), QualityReport.class, "report");
        assertThat(stored).isEqualTo(report);
        assertThat(stored.reproduces()).isTrue();
        assertThat(Json.canonical(QualityReport.recompute(stored.raw()))).isEqualTo(Json.canonical(report));
        QualityReport forged = new QualityReport(report.raw(),
                GreedyComparison.compare(List.of(output("a", "x")),
                        List.of(output("a", "x"))),
                likelihood);
        assertThat(forged.reproduces()).isFalse();
    }

    private static QualityRaw raw() {
        List<GreedyOutput> greedy = List.of(output("a", "x"), output("b", "x"));
        return new QualityRaw(SETTINGS, TeacherForcing.of(greedy, SETTINGS),
                new ArmOutputs(greedy,
                        List.of(List.of(token("x", .5), token("y", .3)),
                                List.of(token("x", .5), token("y", .3)))),
                new ArmOutputs(greedy, List.of(List.of(token("x", .4), token("y", .3)),
                        List.of(token("x", .6), token("y", .3)))));
    }

    @Test
    void withoutAlternativesTheLikelihoodIsAbsentAndSaysWhy() {
        List<GreedyOutput> greedy = List.of(output("a", "x"));
        TeacherForcing plan = TeacherForcing.of(greedy, SETTINGS);
        ArmOutputs silent = new ArmOutputs(greedy, List.of(List.of()));
        LikelihoodComparison c = LikelihoodComparison.compare(new QualityRaw(SETTINGS, plan, silent, silent));
        assertThat(c.meanDifference()).isEqualTo(OptionalDouble.empty());
        assertThat(c.interval()).isEmpty();
        assertThat(c.unanswered()).isEqualTo(1);
        assertThat(c.notes()).contains("1 positions without alternatives from an arm");
        assertThatThrownBy(() -> new QualityRaw(SETTINGS, plan, silent, new ArmOutputs(greedy, List.of())))
                .hasMessage("1 baseline and 0 candidate answers: expected one per planned position, 1");
    }
}
