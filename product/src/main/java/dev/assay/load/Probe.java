package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.workload.Calibration;
import dev.assay.workload.Prompts;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLException;

/** Questions put to a server before it is put under load. */
public final class Probe {
    private static final int GET_MILLIS = 5000;
    private static final long PROBE_LIMIT_NANOS = 60_000_000_000L;
    private static final int ROUND_TRIPS = 15;
    private static final int FEW_WORDS = 24;
    private static final int MANY_WORDS = 120;
    private static final int SAMPLES = 4;
    private static final long PROBE_SEED = 0x5EED;

    private Probe() {}

    /** The first model that the server lists; an environment fault where it lists none. */
    public static String model(URI base, Optional<String> apiKey) {
        Http.Reply reply = models(base, apiKey);
        if (reply.status() != 200) {
            throw AssayException.environment(
                    base + "/v1/models: HTTP " + reply.status() + "; name the model with --model");
        }
        return models(reply, base).stream().findFirst().orElseThrow(() -> AssayException
                .environment(base + "/v1/models: lists no model; name it with --model")).require("id")
                .asText();
    }

    /** The status of the list of models; an environment fault that says why where the server does not answer. */
    public static int status(URI base, Optional<String> apiKey) {
        return models(base, apiKey).status();
    }

    private static Http.Reply models(URI base, Optional<String> apiKey) {
        try {
            return Http.ask(base, "/v1/models", apiKey, GET_MILLIS);
        } catch (SSLException e) {
            throw AssayException.environment(base + ": TLS: " + TlsWire.innermost(e)
                    + "; expected a certificate that " + Transport.known(base).believed() + " vouches for",
                    e);
        } catch (IOException e) {
            throw AssayException.environment(
                    base + "/v1/models: no answer (" + Wires.reason(e) + "); expected a running server", e);
        }
    }

    /**
     * The model that a server of this interface serves: the first of {@code /v1/models}, else what TGI's {@code /info} or
     * SGLang's {@code /get_model_info} names; an environment fault where the server does not say.
     */
    public static String model(Target target) {
        Optional<String> named = switch (target.api()) {
            case COMPLETIONS, CHAT, LLAMA_CPP -> Optional.empty();
            case TGI -> named(target, "/info", "model_id");
            case SGLANG -> named(target, "/get_model_info", "model_path");
        };
        return named.orElseGet(() -> model(target.baseUrl(), target.apiKey()));
    }

    private static Optional<String> named(Target target, String path, String field) {
        try {
            return Http.get(target.baseUrl(), path, target.apiKey(), GET_MILLIS)
                    .filter(r -> r.status() == 200)
                    .flatMap(r -> Json.parse(r.body(), path).asObject().get(field)).map(JsonValue::asText);
        } catch (AssayException e) {
            return Optional.empty();
        }
    }

    private static List<JsonValue.Obj> models(Http.Reply reply, URI base) {
        List<JsonValue.Obj> models = new ArrayList<>();
        for (JsonValue item : Json.parse(reply.body(), base + "/v1/models").asObject().require("data")
                .asList()) {
            models.add(item.asObject());
        }
        return models;
    }

    /** The size of the model file in bytes, where the server tells it (llama.cpp: {@code meta.size}). */
    public static OptionalLong modelBytes(URI base, Optional<String> apiKey) {
        try {
            return Http.get(base, "/v1/models", apiKey, GET_MILLIS).filter(r -> r.status() == 200)
                    .flatMap(r -> models(r, base).stream().findFirst()).flatMap(m -> m.get("meta"))
                    .flatMap(m -> m.asObject().get("size")).map(v -> OptionalLong.of(v.asLong()))
                    .orElse(OptionalLong.empty());
        } catch (AssayException e) {
            return OptionalLong.empty();
        }
    }

    /** Median time of a request that makes no token ({@code /health}, else {@code /v1/models}), in nanoseconds. */
    public static OptionalLong roundTripNanos(URI base, Optional<String> apiKey) {
        String path = Http.get(base, "/health", apiKey, GET_MILLIS).filter(r -> r.status() == 200).isPresent()
                ? "/health"
                : "/v1/models";
        long[] times = new long[ROUND_TRIPS];
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long from = System.nanoTime();
            if (Http.get(base, path, apiKey, GET_MILLIS).isEmpty()) {
                return OptionalLong.empty();
            }
            times[i] = System.nanoTime() - from;
        }
        Arrays.sort(times);
        return OptionalLong.of(times[ROUND_TRIPS / 2]);
    }

    /**
     * How the server's tokenizer counts plain words, from the usage of a few short and longer prompts; empty where it
     * reports no prompt tokens. An environment fault where it answers none of them.
     */
    public static Optional<Calibration> calibrate(Target target) {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 2 * SAMPLES; i++) {
            int words = i < SAMPLES ? FEW_WORDS : MANY_WORDS;
            requests.add(new Request(i, 0, Prompts.ofWords(PROBE_SEED, i, words), words, 1, "probe",
                    Optional.empty()));
        }
        LoadRun run = LoadGenerator.run(target, requests,
                LoadOptions.closedLoop(1).withTimeLimit(PROBE_LIMIT_NANOS));
        List<RequestOutcome> answered = run.outcomes().stream()
                .filter(o -> o.completed() || o.promptTokens().isPresent()).toList();
        if (answered.isEmpty()) {
            throw AssayException.environment(target.baseUrl() + target.path() + ": a probe request failed: "
                    + run.outcomes().getFirst().detail());
        }
        long few = sum(answered, 0);
        long many = sum(answered, SAMPLES);
        boolean counted = answered.size() == 2 * SAMPLES
                && answered.stream().allMatch(o -> o.promptTokens().isPresent()) && many > few;
        return counted
                ? Optional.of(Calibration.through(FEW_WORDS * SAMPLES, few, MANY_WORDS * SAMPLES, many))
                        .map(c -> new Calibration(c.tokensPerWord(), c.overheadTokens() / SAMPLES))
                : Optional.empty();
    }

    private static long sum(List<RequestOutcome> answered, int from) {
        return answered.stream().filter(o -> o.request().id() / SAMPLES == from / SAMPLES)
                .mapToLong(o -> o.promptTokens().orElse(0)).sum();
    }
}
