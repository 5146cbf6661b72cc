package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.scheduler.SchedulerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The step loop over {@link ToyDecoder}, whose output shows every error of paging and batching. */
@Tag("kernels")
class EngineTest {
    private static final Path MODEL = Path.of(System.getProperty("assay.root", "."), "model",
            "assay-18m-bf16.gguf");
    private static final int REQUESTS = 12;

    private static Engine engine(SchedulerConfig config) {
        DecoderConfig decoder = new DecoderConfig(dev.assay.model.WeightFormat.F32, config.blockSize(),
                config.numBlocks(), 1);
        Engine engine = new Engine(new ToyDecoder(MODEL, decoder, config.maxNumBatchedTokens(), 0), config,
                System::nanoTime);
        engine.start();
        return engine;
    }

    private static SamplingParams greedy(int maxTokens) {
        return new SamplingParams(maxTokens, 0, 0, 1, List.of(), true, -1);
    }

    private static List<Integer> tokens(Generation generation) throws InterruptedException {
        List<Integer> tokens = new ArrayList<>();
        while (true) {
            TokenEvent event = generation.take();
            tokens.add(event.token());
            if (event.finish().isPresent()) {
                return tokens;
            }
        }
    }

    /** Requests with shared prefixes; even ones sample with their own seed. */
    private static List<List<Integer>> run(SchedulerConfig config) throws InterruptedException {
        List<List<Integer>> outputs = new ArrayList<>();
        try (Engine engine = engine(config)) {
            List<Generation> generations = new ArrayList<>();
            SplittableRandom random = new SplittableRandom(5);
            for (int i = 0; i < REQUESTS; i++) {
                int shared = i % 3 * 20;
                int[] prompt = IntStream.range(0, shared + random.nextInt(1, 60))
                        .map(p -> p < shared ? p : random.nextInt(4000)).toArray();
                SamplingParams params = new SamplingParams(40, 0, i % 2 == 0 ? 0.8 : 0, i, List.of(), true,
                        2);
                generations.add(new Generation(i, prompt, params, System.nanoTime()));
            }
            generations.forEach(engine::submit);
            for (Generation generation : generations) {
                outputs.add(tokens(generation));
            }
            assertThat(engine.failure()).isEmpty();
        }
        return outputs;
    }

    @ParameterizedTest
    @CsvSource({"16, 8, 256, 400, true", "32, 8, 33, 200, true", "64, 1, 33, 100, false",
            "128, 2, 256, 50, true",
            "16, 8, 9, 400, false", "16, 8, 64, 14, true", "16, 8, 64, 14, false"})
    void outputDoesNotDependOnTheSettings(int block, int cap, int budget, int pages, boolean caching)
            throws InterruptedException {
        List<List<Integer>> reference = run(new SchedulerConfig(1, 512, 16, 100, 0, false));
        assertThat(run(new SchedulerConfig(cap, budget, block, pages, 0.01, caching))).isEqualTo(reference);
        assertThat(reference).allSatisfy(output -> assertThat(output).hasSize(40));
    }

    @Test
    void cancellingOneLeavesTheOtherAndFreesPages() throws InterruptedException {
        SchedulerConfig config = new SchedulerConfig(4, 64, 16, 200, 0, false);
        List<Integer> alone;
        try (Engine engine = engine(config)) {
            Generation only = new Generation(1, new int[]{1, 2, 3}, greedy(200), System.nanoTime());
            engine.submit(only);
            alone = tokens(only);
        }
        try (Engine engine = engine(config)) {
            Generation kept = new Generation(1, new int[]{1, 2, 3}, greedy(200), System.nanoTime());
            Generation dropped = new Generation(2, new int[]{1, 2, 4}, greedy(3000), System.nanoTime());
            engine.submit(dropped);
            engine.submit(kept);
            dropped.take();
            engine.cancel(dropped);
            assertThat(tokens(kept)).isEqualTo(alone);
            awaitIdle(engine);
            assertThat(metric(engine, "kv_pages_used")).isZero();
            assertThat(metric(engine, "request_success_total", "abort")).isEqualTo(1);
            assertThat(metric(engine, "cancelled_tokens_total")).isBetween(1.0, 2999.0);
        }
    }

    @Test
    void stoppingAbortsWhatIsUnderWay() throws InterruptedException {
        Engine engine = engine(new SchedulerConfig(1, 64, 16, 400, 0, false));
        Generation running = new Generation(1, new int[]{1}, greedy(6000), System.nanoTime());
        Generation waiting = new Generation(2, new int[]{1}, greedy(6000), System.nanoTime());
        engine.submit(running);
        engine.submit(waiting);
        running.take();
        engine.close();
        assertThat(waiting.take().finish()).contains(FinishReason.ABORT);
        Generation late = new Generation(3, new int[]{1}, greedy(6), System.nanoTime());
        engine.submit(late);
        assertThat(late.take().finish()).contains(FinishReason.ABORT);
    }

    @Test
    void stepsAddUp() throws InterruptedException {
        try (Engine engine = engine(new SchedulerConfig(4, 32, 16, 200, 0, true))) {
            List<Generation> generations = IntStream.range(0, 9)
                    .mapToObj(i -> new Generation(i, IntStream.range(i, i + 50).toArray(), greedy(20),
                            System.nanoTime()))
                    .toList();
            generations.forEach(engine::submit);
            for (Generation generation : generations) {
                tokens(generation);
            }
            awaitIdle(engine);
            List<StepRecord> steps = engine.log().since(0);
            assertThat(steps.stream().mapToInt(StepRecord::prefillTokens).sum()).isEqualTo(9 * 50);
            assertThat(steps.stream().mapToInt(StepRecord::decodeRows).sum()).isEqualTo(9 * 19);
            assertThat(steps).extracting(StepRecord::n)
                    .containsExactlyElementsOf(
                            IntStream.range(0, steps.size()).mapToObj(i -> (long) i).toList());
            assertThat(steps).allSatisfy(step -> {
                assertThat(step.decodeRows() + step.prefillTokens()).isBetween(1, 32);
                assertThat(step.running()).isBetween(1, 4);
                assertThat(step.wallNanos()).isGreaterThanOrEqualTo(
                        step.scheduleNanos() + step.sampleNanos() + step.emitNanos());
            });
            assertThat(metric(engine, "generation_tokens_total")).isEqualTo(9 * 20);
            assertThat(metric(engine, "prompt_tokens_total")).isEqualTo(9 * 50);
            assertThat(metric(engine, "iteration_tokens_total_sum")).isEqualTo(9 * 50 + 9 * 19);
            assertThat(engine.log().since(5).getFirst().n()).isEqualTo(5);
        }
    }

    private static void awaitIdle(Engine engine) throws InterruptedException {
        for (int i = 0; i < 500 && metric(engine, "num_requests_running") > 0; i++) {
            Thread.sleep(10);
        }
    }

    private static double metric(Engine engine, String... parts) {
        MetricsText text = new MetricsText("m");
        engine.metrics().write(text);
        return text.toString().lines()
                .filter(line -> line.startsWith(MetricsText.PREFIX + parts[0] + "{"))
                .filter(line -> parts.length == 1 || line.contains('"' + parts[1] + '"'))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }
}
