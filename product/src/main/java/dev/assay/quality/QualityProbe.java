package dev.assay.quality;

import dev.assay.AssayException;
import dev.assay.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Asks one server for greedy outputs and next-token probabilities through {@code POST /v1/completions}, one request at
 * a time. A request that fails or is answered with an error is an {@link AssayException} in one line.
 *
 * <p>A server that answers HTTP 400 about the number of alternatives is asked for fewer (20, 5, 1), then for none: the
 * OpenAI interface allows 5, vLLM 20, others any number.
 */
public final class QualityProbe implements AutoCloseable {
    /** The longest wait for one answer where the caller has no reason for another. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private static final int[] FEWER = {20, 5, 1};
    private static final int DETAIL_LENGTH = 200;

    private final HttpClient client;
    private final URI endpoint;
    private final String model;
    private final Optional<String> apiKey;
    private final Duration timeout;
    private final Map<String, String> headers;
    private volatile OptionalInt accepted = OptionalInt.empty();

    /** A probe of {@code base} (scheme, host, port; a path before {@code /v1} is kept). */
    public QualityProbe(URI base, String model, Optional<String> apiKey, Duration timeout) {
        this(base, model, apiKey, timeout, Map.of(), _ -> {
        });
    }

    /**
     * The same with more to say of the way.
     *
     * @param headers sent with each request
     * @param way sets certificates and a proxy
     */
    public QualityProbe(URI base, String model, Optional<String> apiKey, Duration timeout,
            Map<String, String> headers, Consumer<HttpClient.Builder> way) {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5));
        way.accept(builder);
        this.client = builder.build();
        this.headers = Map.copyOf(headers);
        String text = base.toString().replaceFirst("/+$", "").replaceFirst("/v1$", "");
        this.endpoint = URI.create(text + "/v1/completions");
        this.model = model;
        this.apiKey = apiKey;
        this.timeout = timeout;
    }

    /**
     * The outputs at temperature 0, in the order of the prompts. All prompts are asked at once, so that a server batches
     * them as far as its settings allow: what batching changes in the outputs is then seen.
     */
    public List<GreedyOutput> greedy(List<QualityPrompt> prompts, int maxTokens) {
        List<QualityPrompt> checked = QualityPrompt.checked(prompts);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<GreedyOutput>> answers = checked.stream()
                    .map(prompt -> threads.submit(() -> greedy(prompt, maxTokens))).toList();
            List<GreedyOutput> outputs = new ArrayList<>();
            for (Future<GreedyOutput> answer : answers) {
                outputs.add(answer.get());
            }
            return List.copyOf(outputs);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof AssayException fault
                    ? fault
                    : new IllegalStateException("a prompt could not be asked", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AssayException.environment(endpoint + ": interrupted while the outputs were asked for");
        }
    }

    private GreedyOutput greedy(QualityPrompt prompt, int maxTokens) {
        Completion answer = complete(prompt.text(), maxTokens, 1);
        List<String> tokens = answer.steps()
                .map(steps -> steps.stream().map(step -> step.token().token()).toList())
                .orElseGet(() -> GreedyOutput.codePoints(answer.text()));
        return new GreedyOutput(prompt.id(), prompt.text(), tokens,
                answer.steps().map(steps -> steps.stream().map(step -> step.token().logprob()).toList()),
                answer.text());
    }

    /** The alternatives for the next token at each planned position; an empty list where the server gives none. */
    public List<List<TokenLogprob>> next(TeacherForcing plan, int topK) {
        List<List<TokenLogprob>> next = new ArrayList<>();
        for (TeacherForcing.Position position : plan.positions()) {
            next.add(complete(position.prefix(), 1, topK).steps().filter(steps -> !steps.isEmpty())
                    .map(steps -> steps.getFirst().top()).orElse(List.of()));
        }
        return List.copyOf(next);
    }

    /** All that a baseline is asked: its outputs make the plan. */
    public Baseline baseline(List<QualityPrompt> prompts, QualitySettings settings) {
        List<GreedyOutput> outputs = greedy(prompts, settings.maxTokens());
        TeacherForcing plan = TeacherForcing.of(outputs, settings);
        return new Baseline(settings, plan, new ArmOutputs(outputs, next(plan, settings.topK())));
    }

    /** All that a candidate is asked, after the baseline and perhaps long after it stopped. */
    public QualityReport candidate(Baseline baseline) {
        List<QualityPrompt> prompts = baseline.outputs().greedy().stream()
                .map(output -> new QualityPrompt(output.promptId(), output.prompt())).toList();
        QualitySettings settings = baseline.settings();
        ArmOutputs outputs = new ArmOutputs(greedy(prompts, settings.maxTokens()),
                next(baseline.plan(), settings.topK()));
        return QualityReport
                .recompute(new QualityRaw(settings, baseline.plan(), baseline.outputs(), outputs));
    }

    /** A baseline's answers, which may be stored until the candidate is up. */
    public record Baseline(QualitySettings settings, TeacherForcing plan, ArmOutputs outputs) {}

    private Completion complete(String prompt, int maxTokens, int wanted) {
        int ask = accepted.isPresent() ? Math.min(wanted, accepted.getAsInt()) : wanted;
        while (true) {
            HttpResponse<String> response = post(body(prompt, maxTokens, ask));
            if (response.statusCode() == 200) {
                return read(response.body());
            }
            if (response.statusCode() != 400 || ask == 0 || !response.body().contains("logprobs")) {
                throw AssayException.environment("POST " + endpoint + ": HTTP " + response.statusCode() + ": "
                        + oneLine(response.body()) + "; expected a completion");
            }
            ask = fewer(ask);
            accepted = OptionalInt.of(ask);
        }
    }

    private Completion read(String body) {
        try {
            return Completion.read(Json.parse(body, "answer of " + endpoint));
        } catch (AssayException e) {
            throw AssayException.environment(oneLine(String.valueOf(e.getMessage())), e);
        } catch (IllegalArgumentException e) {
            throw AssayException
                    .environment("answer of " + endpoint + ": " + oneLine(String.valueOf(e.getMessage())), e);
        }
    }

    private static int fewer(int asked) {
        for (int fewer : FEWER) {
            if (fewer < asked) {
                return fewer;
            }
        }
        return 0;
    }

    private String body(String prompt, int maxTokens, int logprobs) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("model", model);
        fields.put("prompt", prompt);
        fields.put("temperature", 0);
        fields.put("max_tokens", maxTokens);
        fields.put("ignore_eos", true);
        if (logprobs > 0) {
            fields.put("logprobs", logprobs);
        }
        return Json.canonical(fields);
    }

    private HttpResponse<String> post(String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint).timeout(timeout)
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        apiKey.ifPresent(key -> request.header("Authorization", "Bearer " + key));
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw AssayException.environment(
                    "POST " + endpoint + ": " + oneLine(reason) + "; expected a running server", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AssayException.environment("POST " + endpoint + ": interrupted", e);
        }
    }

    private static String oneLine(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= DETAIL_LENGTH ? line : line.substring(0, DETAIL_LENGTH) + "...";
    }

    @Override
    public void close() {
        client.close();
    }
}
