package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Extent;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import dev.assay.workload.WorkloadSpec.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class WorkloadOptionsTest {
    @TempDir
    Path dir;

    @Command
    static final class Holder {
        @CommandLine.Mixin
        private final WorkloadOptions options = new WorkloadOptions();
    }

    private static WorkloadOptions options(String line) {
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(line.isEmpty() ? new String[0] : line.split(" "));
        return holder.options;
    }

    private static Arrivals arrivals(String line) {
        WorkloadOptions options = options(line);
        return options.arrivals(options.spec());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"''|Poisson[ratePerS=1.0]", "--request-rate 4|Poisson[ratePerS=4.0]",
            "--rate 4 --burstiness 0.5|Gamma[ratePerS=4.0, burstiness=0.5]",
            "--rate 4 --arrival gamma|Gamma[ratePerS=4.0, burstiness=1.0]",
            "--arrival constant|Constant[ratePerS=1.0]",
            "--rate 0 --ramp-to 9 --duration 3|Ramp[fromPerS=0.0, toPerS=9.0, durationNanos=3000000000]",
            "--speed 2|Replay[speed=2.0]", "--arrival trace|Replay[speed=1.0]",
            "--concurrency 3 --think-time 2|ClosedLoop[concurrency=3, think=Constant[nanos=2000000000]]"})
    void optionsMakeArrivals(String line, String expected) {
        assertThat(arrivals(line)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--rate 1 --concurrency 2|exclude --concurrency",
            "--rate 1 --think-time 2|expected conversations",
            "--arrival poisson --burstiness 2|--arrival poisson does not go with",
            "--arrival trace --rate 2|--arrival trace does not go with",
            "--arrival sine|one of poisson, gamma",
            "--ramp-to 5|expected --ramp-to and --duration", "--rate -1|arrivals: rate is -1.0",
            "--concurrency 0|--concurrency: concurrency is 0",
            "--workload chat --input-tokens 5|expected no --input-tokens", "--prefix-groups 4|expected both",
            "--prefix-groups 0 --prefix-tokens 5|prefix groups 'prefix' are 0", "--turns 0|length '0'"})
    void whatDoesNotFitIsRefused(String line, String message) {
        assertThatThrownBy(() -> arrivals(line)).isInstanceOf(AssayException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theExtent() {
        assertThat(options("").extent(new Arrivals.Poisson(1))).isEqualTo(new Extent.Count(100));
        assertThat(options("--duration 2").extent(new Arrivals.Poisson(1)))
                .isEqualTo(new Extent.Lasting(2_000_000_000L));
        assertThat(options("").extent(new Arrivals.Replay(1))).isEqualTo(new Extent.Count(Integer.MAX_VALUE));
        assertThatThrownBy(() -> options("--duration 2 --requests 3").extent(new Arrivals.Poisson(1)))
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() -> options("--requests 0").extent(new Arrivals.Poisson(1)))
                .hasMessageContaining("--requests: requests is 0");
    }

    @Test
    void theFilesArrivalsHoldWhereNoOptionSaysOtherwise() throws IOException {
        Path file = Files.writeString(dir.resolve("w.yaml"), """
                assay_workload: 1
                arrivals: {kind: gamma, rate: 4, burstiness: 0.5}
                classes:
                  - {name: a, input_tokens: 5, output_tokens: 6, slo: {ttft_ms: 9}}
                  - {name: b, input_tokens: 5, output_tokens: 6}
                """);
        assertThat(arrivals("--workload " + file)).isEqualTo(new Arrivals.Gamma(4, 0.5));
        assertThat(arrivals("--workload " + file + " --rate 7")).isEqualTo(new Arrivals.Gamma(7, 0.5));
        assertThat(arrivals("--workload " + file + " --arrival constant"))
                .isEqualTo(new Arrivals.Constant(4));
        assertThat(arrivals("--workload " + file + " --concurrency 2"))
                .isEqualTo(new Arrivals.ClosedLoop(2));
        WorkloadOptions options = options("--workload " + file + " --slo tpot:3");
        assertThat(options.slos(options.spec()))
                .isEqualTo(Map.of("a", Slo.parse("ttft:9"), "b", Slo.parse("tpot:3")));
        assertThat(options.hasSlo(options.spec())).isTrue();
        assertThat(options("").hasSlo(options("").spec())).isFalse();
    }

    @Test
    void conversationsAndPrefixesOfOptionsReachTheClasses() {
        WorkloadSpec spec = options(
                "--workload chat-small --turns uniform:1,3 --think-time exponential:2 --prefix-groups 4"
                        + " --prefix-tokens 30")
                .spec();
        var only = ((Content.Mix) spec.content()).classes().getFirst();
        assertThat(only.prefix().orElseThrow().groups()).isEqualTo(4);
        assertThat(only.turns()).hasToString("Uniform[min=1, max=3]");
        assertThat(only.think()).hasToString("Exponential[meanNanos=2000000000]");
    }
}
