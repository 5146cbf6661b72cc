package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadSpecTest {
    private static final Extent.Count HUNDRED = new Extent.Count(100);

    @TempDir
    Path dir;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }

    @Test
    void theSameSeedGivesTheSameScheduleWithItsPrompts() {
        WorkloadSpec spec = WorkloadSpec.presetOrFile("chat-small");
        Arrivals poisson = new Arrivals.Poisson(5);
        List<Request> first = spec.schedule(poisson, HUNDRED, 42, Calibration.ASSUMED);
        assertThat(spec.schedule(poisson, HUNDRED, 42, Calibration.ASSUMED)).isEqualTo(first);
        List<Request> other = spec.schedule(poisson, HUNDRED, 43, Calibration.ASSUMED);
        Set<String> prompts = new HashSet<>(first.stream().map(Request::prompt).toList());
        assertThat(other).noneMatch(r -> prompts.contains(r.prompt()));
    }

    @Test
    void lengthsDoNotDependOnTheRateSoLoadPointsSeeTheSameRequests() {
        WorkloadSpec spec = WorkloadSpec.presetOrFile("code-small");
        List<String> slow = spec.schedule(new Arrivals.Poisson(1), HUNDRED, 7, Calibration.ASSUMED).stream()
                .map(Request::prompt).toList();
        assertThat(spec.schedule(new Arrivals.Poisson(50), HUNDRED, 7, Calibration.ASSUMED).stream()
                .map(Request::prompt).toList()).isEqualTo(slow);
    }

    @Test
    void noTwoPromptsOfARunShareTheirFirstWords() {
        Set<String> starts = new HashSet<>();
        for (int id = 0; id < 5000; id++) {
            String[] words = Prompts.ofWords(3, id, 12).split(" ");
            assertThat(words).hasSize(12);
            starts.add(words[0] + " " + words[1]);
        }
        assertThat(starts).hasSize(5000);
        assertThat(new HashSet<>(Prompts.words())).hasSameSizeAs(Prompts.words());
    }

    @Test
    void aDurationEndsTheScheduleInTime() {
        List<Request> all = WorkloadSpec
                .of(new LengthDistribution.Constant(8), new LengthDistribution.Constant(4))
                .schedule(new Arrivals.Constant(10), new Extent.Lasting(2_050_000_000L), 1,
                        Calibration.ASSUMED);
        assertThat(all).hasSize(20);
        assertThat(all.getLast().arrivalNanos()).isEqualTo(2_000_000_000L);
    }

    @Test
    void calibrationGoesThroughBothProbesAndSizesPrompts() {
        Calibration c = Calibration.through(24, 34, 120, 154);
        assertThat(c.tokensPerWord()).isCloseTo(1.25, within(1e-12));
        assertThat(c.overheadTokens()).isCloseTo(4, within(1e-9));
        assertThat(c.words(64)).isEqualTo(48);
    }

    @Test
    void readsAnAzureTrace() throws IOException {
        Trace trace = Trace.read(file("a.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                + "2023-11-16 18:17:03.9799600,4808,10\n2023-11-16 18:17:04.0319600,3180,8\n"));
        assertThat(trace.rows()).containsExactly(new Trace.Row(0, 4808, 10),
                new Trace.Row(52_000_000, 3180, 8));
    }

    @Test
    void readsAMooncakeTraceAndLeavesOutRowsWithoutTokens() throws IOException {
        Trace trace = Trace.read(file("m.jsonl", """
                {"timestamp": 10, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]}
                {"timestamp": 40, "input_length": 5, "output_length": 0, "hash_ids": []}
                {"timestamp": 3010, "input_length": 7, "output_length": 3, "hash_ids": []}
                """));
        assertThat(trace.rows()).containsExactly(
                new Trace.Row(0, 6758, 500, new HashIds(0, 1), OptionalInt.empty(), 0),
                new Trace.Row(3_000_000_000L, 7, 3));
    }

    @Test
    void aTraceIsFollowedInItsOrderFromARowDrawnByTheSeed() throws IOException {
        Path path = file("m.jsonl", IntStream.range(1, 8)
                .mapToObj(i -> "{\"timestamp\":0,\"input_length\":" + i + ",\"output_length\":" + 10 * i
                        + "}\n")
                .reduce("", String::concat));
        List<Request> all = WorkloadSpec.presetOrFile(path.toString()).schedule(new Arrivals.Poisson(1),
                new Extent.Count(14), 5, Calibration.ASSUMED);
        for (int i = 0; i < 14; i++) {
            assertThat(all.get(i).outputTokens()).isEqualTo(10 * all.get(i).promptTokens());
            assertThat(all.get(i).promptTokens()).isEqualTo((all.getFirst().promptTokens() - 1 + i) % 7 + 1);
        }
    }

    @Test
    void faultsOfATraceNameFileAndLine() throws IOException {
        Path bad = file("b.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.97,5,x\n");
        assertThatThrownBy(() -> Trace.read(bad))
                .hasMessageContaining("b.csv:2: field 'GeneratedTokens': expected a number, found 'x'");
        Path short1 = file("c.jsonl",
                "{\"timestamp\":0,\"input_length\":1,\"output_length\":1}\n{\"timestamp\":0}\n");
        assertThatThrownBy(() -> Trace.read(short1)).hasMessageContaining("c.jsonl:2")
                .hasMessageContaining("input_length");
        Path other = file("d.txt", "hello\n");
        assertThatThrownBy(() -> Trace.read(other)).hasMessageContaining("d.txt:1: expected the header");
        assertThatThrownBy(() -> WorkloadSpec.presetOrFile(dir.resolve("none").toString()))
                .hasMessageContaining("no such file").hasMessageContaining("chat-small");
    }

    @Test
    void lengthsFromTexts() {
        assertThat(LengthDistribution.parse("64")).isEqualTo(new LengthDistribution.Constant(64));
        assertThat(LengthDistribution.parse("uniform:20,136"))
                .isEqualTo(new LengthDistribution.Uniform(20, 136));
        assertThat(LengthDistribution.parse("lognormal:100,0.5,4,900"))
                .isEqualTo(new LengthDistribution.Lognormal(100, 0.5, 4, 900));
        assertThatThrownBy(() -> LengthDistribution.parse("uniform:9,3")).hasMessageContaining("max is 3");
        assertThatThrownBy(() -> LengthDistribution.parse("normal:1,2"))
                .hasMessageContaining("expected N, uniform");
        assertThatThrownBy(() -> LengthDistribution.parse("0")).hasMessageContaining("tokens is 0");
    }

    /** Oracle: median and sigma of the law itself; 20,000 draws give the median within 2 %. */
    @Test
    void lognormalDrawsHaveTheirMedianAndStayInBounds() {
        SplittableRandom random = new SplittableRandom(11);
        LengthDistribution law = LengthDistribution.parse("lognormal:300,0.8,20,2000");
        double[] drawn = IntStream.range(0, 20_000).mapToDouble(i -> law.sample(random)).sorted().toArray();
        assertThat(Percentiles.ofSorted(drawn, 0.5)).isCloseTo(300, within(8.0));
        assertThat(drawn[0]).isGreaterThanOrEqualTo(20);
        assertThat(drawn[19_999]).isLessThanOrEqualTo(2000);
    }

    @Test
    void aFitFindsTheLawThatMadeTheSample() {
        SplittableRandom random = new SplittableRandom(12);
        LengthDistribution law = LengthDistribution.parse("lognormal:500,0.7,1,100000");
        TraceFit fit = TraceFit.of(IntStream.range(0, 5000).map(i -> law.sample(random)).toArray());
        assertThat(fit.distribution().median()).isCloseTo(500, within(20.0));
        assertThat(fit.distribution().sigma()).isCloseTo(0.7, within(0.05));
        assertThat(fit.distance()).isLessThan(0.02);
    }

    @Test
    void objectivesFromTexts() {
        assertThat(Slo.parse("ttft:250,tpot:12").tpotMs()).hasValue(12);
        assertThat(Slo.parse("e2e:4000").ttftMs()).isEmpty();
        assertThatThrownBy(() -> Slo.parse("ttft=250")).hasMessageContaining("ttft:250,tpot:12");
        assertThatThrownBy(() -> Slo.parse("ttft:0")).hasMessageContaining("more than 0");
    }
}
