package dev.assay.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces made up in the shapes of real ones, and the public ones where they are. */
class KinetoTraceTest {
    private static final String DECODE = "execute_context_0(0)_generation_4(4)";

    @TempDir
    private Path dir = Path.of("");
    private final StringBuilder events = new StringBuilder();
    private int correlation = 1;

    private KinetoTraceTest event(String category, String name, String thread, double ts, double dur,
            String args) {
        events.append(events.isEmpty() ? "" : ",\n").append(String.format(Locale.ROOT,
                "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%s,\"tid\":1,\"ts\":%.3f,\"dur\":%.3f,"
                        + "\"args\":{%s}}",
                category, name, thread, ts, dur, args));
        return this;
    }

    /** A step on the host whose work of {@code busy} begins on the device a while later. */
    private KinetoTraceTest step(String name, double ts, double start, double busy, double span) {
        event("user_annotation", name, "7", ts, 90, "");
        event("cuda_runtime", "cudaGraphLaunch", "7", ts + 10, 5, "\"correlation\":" + correlation);
        event("kernel", "gemm", "0", start, busy / 2, "\"correlation\":" + correlation);
        event("kernel", "attention", "0", start + span - busy / 2, busy / 2,
                "\"correlation\":" + correlation);
        correlation++;
        return this;
    }

    private Path written(boolean zipped) throws IOException {
        byte[] text = ("{\"schemaVersion\":1,\"traceEvents\":[" + events + "]}")
                .getBytes(StandardCharsets.UTF_8);
        Path file = dir.resolve(zipped ? "t.json.gz" : "t.json");
        try (OutputStream out = zipped
                ? new GZIPOutputStream(Files.newOutputStream(file))
                : Files.newOutputStream(file)) {
            out.write(text);
        }
        return file;
    }

    /** Begin to begin of the device's work is the step's time, with what lies between; the last has no next. */
    @Test
    void stepsAreTimedFromBeginToBegin() throws IOException {
        for (int i = 0; i < 5; i++) {
            step(DECODE, 1000 * i, 1000 * i + 200, 600, 700);
        }
        step("execute_context_1(64)_generation_3(3)", 5000, 5200, 2000, 2500);
        for (boolean zipped : new boolean[]{false, true}) {
            List<DecodeSteps> steps = KinetoTrace.decodeSteps(written(zipped));
            assertThat(steps).singleElement().satisfies(s -> {
                assertThat(s.rows()).hasValue(4);
                assertThat(s.context()).isEmpty();
                assertThat(s.steps()).isEqualTo(5);
                assertThat(s.whole()).isTrue();
                assertThat(s.nanos()).isCloseTo(1e6, within(1.0));
            });
        }
    }

    @Test
    void aSingleStepHasTheTimeOfItsWorkAndTheLengthsOfItsName() throws IOException {
        step("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk6400sqsq32sqsk6400)", 0, 300, 690,
                700);
        assertThat(KinetoTrace.decodeSteps(written(true))).singleElement().satisfies(s -> {
            assertThat(s.rows()).hasValue(32);
            assertThat(s.context()).hasValue(200);
            assertThat(s.whole()).isFalse();
            assertThat(s.nanos()).isCloseTo(700_000, within(1.0));
        });
    }

    @Test
    void ofRangesWithinEachOtherTheOneThatTellsMostCounts() throws IOException {
        for (int i = 0; i < 3; i++) {
            event("user_annotation", "ProfilerStep#" + i, "7", 1000 * i, 95, "");
            step("step[DECODE bs=8]", 1000 * i + 1, 1000 * i + 200, 600, 700);
        }
        assertThat(KinetoTrace.decodeSteps(written(false))).singleElement()
                .satisfies(s -> assertThat(s.rows()).hasValue(8));
    }

    /** Steps of the bare profiler have no batch, and a pause between them is no step. */
    @Test
    void stepsWithoutABatchAreToldSo() throws IOException {
        double[] at = {0, 1000, 2000, 90_000, 91_000};
        for (int i = 0; i < at.length; i++) {
            step("ProfilerStep#" + i, at[i], at[i] + 200, 600, 700);
        }
        assertThat(KinetoTrace.decodeSteps(written(false))).singleElement().satisfies(s -> {
            assertThat(s.rows()).isEmpty();
            assertThat(s.nanos()).isCloseTo(1e6, within(1.0));
            assertThat(s.steps()).isEqualTo(3);
        });
    }

    @Test
    void rangesThatTheProfilerProjectedAreTaken() throws IOException {
        for (int i = 0; i < 3; i++) {
            step(DECODE, 1000 * i, 1000 * i + 2200, 600, 700);
            event("gpu_user_annotation", DECODE, "0", 1000 * i + 2199, 702, "");
        }
        assertThat(KinetoTrace.decodeSteps(written(false))).singleElement().satisfies(s -> {
            assertThat(s.nanos()).isCloseTo(1e6, within(1.0));
            assertThat(s.rows()).hasValue(4);
        });
    }

    @Test
    void aProfileThatOnlyWaitedForItsStacksIsRefused() throws IOException {
        event("python_function", "execute_model", "7", 0, 100, "");
        step(DECODE, 0, 300, 9, 470);
        Path file = written(false);
        assertThatThrownBy(() -> KinetoTrace.decodeSteps(file)).isInstanceOf(AssayException.class)
                .hasMessageContaining("busy in 2 % of a step and Python stacks were recorded")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"kernel|gemm|no range of a step; expected vLLM's execute_",
            "user_annotation|" + DECODE + "|no kernel; expected a profile with the device's activity"})
    void whatIsMissingIsNamed(String category, String name, String message) throws IOException {
        event(category, name, "0", 0, 100, "");
        Path file = written(false);
        assertThatThrownBy(() -> KinetoTrace.decodeSteps(file)).isInstanceOf(AssayException.class)
                .hasMessageContaining(message);
    }

    @Test
    void promptsAloneAndFilesCutShortAreRefusedInALine() throws IOException {
        step("execute_context_1(64)_generation_3(3)", 0, 300, 600, 700);
        Path prompts = written(true);
        assertThatThrownBy(() -> KinetoTrace.decodeSteps(prompts)).isInstanceOf(AssayException.class)
                .hasMessageContaining("1 of 1 steps compute prompts");
        byte[] whole = Files.readAllBytes(prompts);
        Path cut = Files.write(dir.resolve("cut.json.gz"), Arrays.copyOf(whole, whole.length - 30));
        assertThatThrownBy(() -> KinetoTrace.decodeSteps(cut)).isInstanceOf(AssayException.class)
                .hasMessageNotContaining("\n").hasMessageContaining("cut.json.gz");
        byte[] text = ("{\"traceEvents\":[" + events).getBytes(StandardCharsets.UTF_8);
        Path open = Files.write(dir.resolve("open.json"), text);
        assertThatThrownBy(() -> KinetoTrace.decodeSteps(open)).isInstanceOf(AssayException.class)
                .hasMessageNotContaining("\n");
    }

    private static Path shared(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path file = at.resolve("shared/data/profiles").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return Assumptions.abort("skipped: shared/data/profiles/" + name + " is not here");
    }

    /** reference/mechanism.md: 425 kernels, span 10,700.0 us, 32 sequences over 55,086 tokens. */
    @Test
    void theStepOfARealEngineIsAsRecomputed() {
        assertThat(KinetoTrace.decodeSteps(shared("kineto_vllm_decode.json.gz"))).singleElement()
                .satisfies(s -> {
                    assertThat(s.nanos()).isCloseTo(10_700_000, within(50_000.0));
                    assertThat(s.rows()).hasValue(32);
                    assertThat(s.context().orElse(0)).isCloseTo(55_086 / 32.0, within(0.01));
                });
        Path sglang = shared("kineto_sglang_decode.json.gz");
        assertThatThrownBy(() -> KinetoTrace.decodeSteps(sglang)).hasMessageContaining("busy in 2 %");
    }
}
