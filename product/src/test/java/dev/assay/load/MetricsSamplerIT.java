package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sampling of servers that are well, slow, broken or restarted, over a real socket. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class MetricsSamplerIT {
    private static final long MILLI = 1_000_000;

    private final ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server = newServer();

    private static HttpServer newServer() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeEach
    void serve() {
        server.setExecutor(pool);
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
        pool.shutdownNow();
    }

    private URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** A page that depends on how many were asked for, from 1. */
    private AtomicInteger pages(String path, IntFunction<String> page) {
        AtomicInteger count = new AtomicInteger();
        server.createContext(path, x -> answer(x, 200, page.apply(count.incrementAndGet())));
        return count;
    }

    private MetricsSampler.Recorded during(long millis, List<EnergyMeter> meters)
            throws InterruptedException {
        try (MetricsSampler sampler = MetricsSampler.start(base(), Optional.empty(), meters)) {
            Thread.sleep(millis);
            return sampler.record();
        }
    }

    @Test
    void fourScrapesASecondEachWithItsTiming() throws InterruptedException {
        pages("/metrics",
                n -> "vllm:num_requests_running " + n + "\nvllm:generation_tokens_total " + 10 * n + "\n");
        MetricsSampler.Recorded recorded = during(1600, List.of());
        List<Scrapes.Scrape> scrapes = recorded.scrapes().orElseThrow().scrapes();
        assertThat(scrapes).hasSizeBetween(6, 9).allMatch(Scrapes.Scrape::ok)
                .allMatch(s -> s.durationNanos() > 0 && s.durationNanos() < 1000 * MILLI);
        for (int i = 2; i < scrapes.size() - 1; i++) {
            assertThat(scrapes.get(i).startNanos() - scrapes.get(i - 1).startNanos())
                    .isBetween(100 * MILLI, 600 * MILLI);
        }
        Map<String, Double> telemetry = recorded.telemetry();
        assertThat(telemetry).containsEntry("scrapes", (double) scrapes.size())
                .containsEntry("scrapes_failed", 0.0)
                .containsEntry("generation_tokens", 10.0 * (scrapes.size() - 1))
                .containsKeys("scrape_ms_p50", "scrape_ms_max");
        assertThat(telemetry.get("scrape_ms_max")).isGreaterThanOrEqualTo(telemetry.get("scrape_ms_p50"));
    }

    @Test
    void failuresAreCountedAndTheRestStillCounts() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        server.createContext("/metrics", x -> {
            int n = count.incrementAndGet();
            if (n == 3) {
                answer(x, 500, "no");
            } else if (n == 4 || n == 5) {
                // Twice, as the JDK's client itself tries a GET once more.
                x.close();
            } else {
                answer(x, 200, "vllm:num_requests_running 4\n");
            }
        });
        MetricsSampler.Recorded recorded = during(1400, List.of());
        assertThat(recorded.scrapes().orElseThrow().scrapes()).extracting(Scrapes.Scrape::outcome)
                .contains("http_error", "no_answer", "ok");
        assertThat(recorded.telemetry()).containsEntry("scrapes_failed", 2.0)
                .containsEntry("running_mean", 4.0);
    }

    @Test
    void aPageThatTricklesIsGivenUpInTime() {
        server.createContext("/metrics", x -> {
            x.sendResponseHeaders(200, 0);
            try (OutputStream out = x.getResponseBody()) {
                while (true) {
                    out.write("a 1\n".getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        MetricsScraper.Attempt attempt = MetricsScraper.attempt(base(), "/metrics", Optional.empty(), 400,
                n -> true);
        assertThat(attempt.outcome()).isEqualTo(MetricsScraper.Outcome.TIMEOUT);
        assertThat(attempt.durationNanos()).isBetween(400 * MILLI, 1500 * MILLI);
    }

    @Test
    void slowScrapesAreSaidToBeSlow() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        server.createContext("/metrics", x -> {
            if (count.incrementAndGet() == 2) {
                try {
                    Thread.sleep(600);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            answer(x, 200, "tgi_queue_size 1\n");
        });
        Map<String, Double> telemetry = during(1300, List.of()).telemetry();
        assertThat(telemetry).containsEntry("scrapes_slow", 1.0).containsEntry("scrapes_failed", 0.0);
        assertThat(telemetry.get("scrape_ms_max")).isBetween(590.0, 990.0);
    }

    @Test
    void jsonAtTheFirstPathLeadsToTheSecond() throws InterruptedException {
        pages("/metrics", n -> "[{\"iter\": 1, \"gpuMemUsage\": 5}]");
        pages("/prometheus/metrics", n -> "trtllm_num_requests_running 7\n");
        MetricsSampler.Recorded recorded = during(400, List.of());
        assertThat(recorded.telemetry()).containsEntry("running_mean", 7.0);
        assertThat(recorded.account().server()).hasValue("tensorrt-llm");
    }

    @Test
    void aRestartWithinTheSlotIsSeenBetweenTwoSamples() throws InterruptedException {
        // Higher at the end than at the beginning, so that the two edges alone would not show it.
        pages("/metrics", n -> "vllm:generation_tokens_total " + (n == 3 ? 5 : 100 * n) + "\n");
        Telemetry.Account account = during(1100, List.of()).account();
        assertThat(account.values()).doesNotContainKey("generation_tokens");
        assertThat(account.absent().get("generation_tokens")).contains("fell during the slot");
    }

    @Test
    void aServerWithoutMetricsHasNoAccountAndSaysWhy() throws InterruptedException {
        Telemetry.Account account = during(300, List.of()).account();
        assertThat(account.absent().get("server")).contains("http_error");
        assertThat(account.values()).containsEntry("scrapes", 2.0).containsEntry("scrapes_failed", 2.0);
    }

    @Test
    void energyOfTheSlotFromAnExporterAndFromRapl(@TempDir Path root) throws Exception {
        pages("/metrics", n -> "vllm:generation_tokens_total " + 100 * n + "\n");
        AtomicInteger read = pages("/dcgm",
                n -> "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\",UUID=\"GPU-a\"} " + 2000 * n + "\n");
        Path zero = Files.createDirectories(root.resolve("intel-rapl:0"));
        Files.writeString(zero.resolve("name"), "package-0");
        Files.writeString(zero.resolve("max_energy_range_uj"), "1000000000");
        Files.writeString(zero.resolve("energy_uj"), "0");
        MetricsSampler.Recorded recorded;
        try (MetricsSampler sampler = MetricsSampler.start(base(), Optional.empty(),
                List.of(EnergyMeter.dcgm(base().resolve("/dcgm"), Map.of()), EnergyMeter.rapl(root)))) {
            Thread.sleep(1300);
            Files.writeString(zero.resolve("energy_uj"), "7000000");
            recorded = sampler.record();
        }
        Map<String, Double> telemetry = recorded.telemetry();
        double joules = 2.0 * (read.get() - 1);
        assertThat(telemetry).containsEntry("gpu_energy_joules", joules)
                .containsEntry("energy_joules", joules)
                .containsEntry("cpu_energy_joules", 7.0);
        double tokens = telemetry.getOrDefault("generation_tokens", 0.0);
        assertThat(telemetry).containsEntry("joules_per_output_token", joules / tokens);
        assertThat(recorded.account().sources().get("cpu_energy_joules")).contains(root.toString());
    }

    @Test
    void whatIsRecordedSurvivesItsFile(@TempDir Path root) throws InterruptedException {
        pages("/dcgm",
                n -> "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\",UUID=\"GPU-a\"} " + 2000 * n + "\n");
        pages("/metrics", n -> "vllm:num_requests_running " + n + "\n");
        MetricsSampler.Recorded recorded = during(1300,
                List.of(EnergyMeter.rapl(root), EnergyMeter.dcgm(base().resolve("/dcgm"), Map.of())));
        assertThat(recorded.energy().orElseThrow()).hasSize(2);
        assertThat(recorded.energy().orElseThrow().getLast().parts()).containsKey("GPU-a");
        MetricsSampler.Recorded read = dev.assay.json.Json.read(dev.assay.json.Json.pretty(recorded),
                MetricsSampler.Recorded.class, "test");
        assertThat(read).isEqualTo(recorded);
        assertThat(read.account()).isEqualTo(recorded.account());
    }
}
