package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadFileTest {
    @TempDir
    Path dir;

    private WorkloadSpec read(String name, String text) throws IOException {
        return WorkloadSpec.presetOrFile(Files.writeString(dir.resolve(name), text).toString());
    }

    /** The documentation's own example is read, so that it stays true. */
    @Test
    void theExampleOfTheDocs() throws IOException {
        Path docs = Path.of("").toAbsolutePath();
        while (!Files.exists(docs.resolve("docs/workloads.md"))) {
            docs = Objects.requireNonNull(docs.getParent());
        }
        Matcher yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(docs.resolve("docs/workloads.md")));
        assertThat(yaml.find()).isTrue();
        WorkloadSpec spec = read("w.yaml", yaml.group(1));
        assertThat(spec.name()).isEqualTo("support");
        assertThat(spec.arrivals()).hasValue(new Arrivals.Gamma(4, 0.5));
        List<RequestClass> classes = ((WorkloadSpec.Content.Mix) spec.content()).classes();
        assertThat(classes).extracting(RequestClass::name).containsExactly("chat", "batch");
        RequestClass chat = classes.getFirst();
        assertThat(chat.weight()).isEqualTo(3);
        assertThat(chat.input()).isEqualTo(LengthDistribution.parse("lognormal:60,0.8,4,400"));
        assertThat(chat.prefix()).hasValue(
                new PrefixGroups("system", 4, LengthDistribution.parse("uniform:200,400")));
        assertThat(chat.turns()).isEqualTo(LengthDistribution.parse("uniform:1,5"));
        assertThat(chat.think()).isEqualTo(Pause.parse("exponential:2"));
        assertThat(chat.slo()).hasValue(Slo.parse("ttft:250,tpot:12"));
        assertThat(classes.get(1).slo()).hasValue(Slo.parse("e2e:20000"));
        assertThat(spec.schedule(spec.arrivals().orElseThrow(), new Extent.Count(50), 1, Calibration.ASSUMED))
                .hasSize(50);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{kind: poisson, rate: 3}|Poisson[ratePerS=3.0]",
            "{kind: constant, rate: 3.5}|Constant[ratePerS=3.5]",
            "{kind: ramp, rate: 1, ramp_to: 9, ramp_seconds: 2}|Ramp[fromPerS=1.0, toPerS=9.0, durationNanos=2000000000]",
            "{kind: closed, concurrency: 8, think_time: 0.5}|ClosedLoop[concurrency=8, think=Constant[nanos=500000000]]"})
    void eachKindOfArrivals(String arrivals, String expected) throws IOException {
        WorkloadSpec spec = read("w.yaml", "assay_workload: 1\narrivals: " + arrivals
                + "\nclasses: [{name: a, input_tokens: 5, output_tokens: 6}]\n");
        assertThat(spec.arrivals().orElseThrow()).hasToString(expected);
    }

    @Test
    void aTraceBesideTheFileInJson() throws IOException {
        Files.writeString(dir.resolve("t.csv"),
                "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,5,1\n");
        WorkloadSpec spec = read("w.json",
                "{\"assay_workload\": 1, \"trace\": \"t.csv\", \"arrivals\": {\"kind\": \"trace\", \"speed\": 2}}");
        assertThat(spec.arrivals()).hasValue(new Arrivals.Replay(2));
        assertThat(spec.recordsTimes()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"assay_workload: 2|expected format 1",
            "trace: t.csv|either 'classes' or 'trace'", "classes: []|no class",
            "classes: [{name: a, input_tokens: 0, output_tokens: 6}]|w.yaml:2:35: field 'input_tokens': length '0'",
            "classes: [{name: a, input_tokens: 5, output_tokens: 6, prefix: x}]|prefix 'x' is not among",
            "classes: [{name: a, input_tokens: 5, output_tokens: 6, weight: 0}]|has the weight 0.0",
            "classes: [{name: a, input_tokens: 5, output_tokens: 6, wait: 0}]|unknown field",
            "classes: [{name: a, input_tokens: 5, output_tokens: 6, think_time: soon}]|pause 'soon'"})
    void faultsSayWhatIsExpected(String line, String message) {
        String head = line.startsWith("assay_workload") ? "" : "assay_workload: 1\n";
        String rest = line.startsWith("classes")
                ? ""
                : "\nclasses: [{name: a, input_tokens: 5, output_tokens: 6}]";
        assertThatThrownBy(() -> read("w.yaml", head + line + rest + "\n"))
                .isInstanceOf(dev.assay.AssayException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{kind: gamma, rate: 3}|'burstiness' is missing for gamma",
            "{kind: closed}|'concurrency' is missing", "{kind: sine}|expected one of poisson, gamma",
            "{kind: poisson, rate: -3}|rate is -3.0"})
    void faultsOfArrivals(String arrivals, String message) {
        assertThatThrownBy(() -> read("w.yaml", "assay_workload: 1\narrivals: " + arrivals
                + "\nclasses: [{name: a, input_tokens: 5, output_tokens: 6}]\n"))
                .isInstanceOf(dev.assay.AssayException.class).hasMessageContaining(message);
    }
}
