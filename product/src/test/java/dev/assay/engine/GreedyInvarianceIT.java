package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Greedy tokens of the shipped model over HTTP: those of a float64 full recomputation (model/oracle.json's program:
 * make_model.py), and the same for every setting of the server.
 */
@Tag("kernels")
class GreedyInvarianceIT {
    private static final List<JsonValue.Obj> ORACLE = Json.parseFile(Servers.ROOT
            .resolve("product/src/test/resources/dev/assay/engine/oracle.json")).asObject()
            .require("continuations")
            .asList().stream().map(JsonValue::asObject).toList();

    private static final int TOKENS = 24;

    private static List<Integer> ints(JsonValue list) {
        return list.asList().stream().map(id -> (int) id.asLong()).toList();
    }

    /** Prompts of several lengths, long ones made of the oracle's own continuations. */
    private static List<List<Integer>> prompts() {
        List<List<Integer>> prompts = new ArrayList<>();
        for (JsonValue.Obj entry : ORACLE) {
            List<Integer> head = ints(entry.require("prompt_ids"));
            prompts.add(head);
            List<Integer> longer = new ArrayList<>(head);
            ORACLE.forEach(other -> longer.addAll(ints(other.require("greedy_ids")).subList(0, 40)));
            prompts.add(longer);
        }
        return prompts;
    }

    private static List<List<Integer>> outputs(EngineServer server, int tokens) throws Exception {
        List<List<Integer>> outputs = new ArrayList<>();
        try (Client client = new Client(server.url());
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Integer>>> answers = new ArrayList<>();
            for (List<Integer> prompt : prompts()) {
                String body = "{\"prompt\":" + prompt
                        + ",\"temperature\":0,\"ignore_eos\":true,\"max_tokens\":" + tokens
                        + ",\"stream\":true,\"return_token_ids\":true}";
                answers.add(pool.submit(() -> client.stream("/v1/completions", body).tokens()));
            }
            for (Future<List<Integer>> answer : answers) {
                outputs.add(answer.get());
            }
        }
        return outputs;
    }

    @Test
    void equalsTheOracle() throws Exception {
        try (EngineServer server = Servers.real(8, 256, 16, 400, true, 1);
                Client client = new Client(server.url())) {
            for (JsonValue.Obj entry : ORACLE) {
                String body = "{\"prompt\":" + Json.canonical(entry.require("prompt"))
                        + ",\"temperature\":0,\"ignore_eos\":true,\"max_tokens\":64,\"return_token_ids\":true}";
                JsonValue.Obj choice = Client.choice(client.post("/v1/completions", body)).orElseThrow();
                assertThat(ints(choice.require("token_ids"))).isEqualTo(ints(entry.require("greedy_ids")));
            }
        }
    }

    private static final class Reference {
        static final List<List<Integer>> OUTPUTS = make();

        private static List<List<Integer>> make() {
            try (EngineServer server = Servers.real(1, 512, 16, 400, false, 1)) {
                return outputs(server, TOKENS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest(name = "page {0}, cap {1}, budget {2}, pages {3}, caching {4}, threads {5}")
    @CsvSource({"16, 8, 256, 400, true, 1", "32, 8, 33, 200, true, 1", "64, 2, 33, 100, false, 1",
            "128, 8, 256, 50, true, 2", "16, 8, 33, 400, false, 2", "128, 1, 33, 50, true, 1"})
    void outputDoesNotDependOnTheSettings(int page, int cap, int budget, int pages, boolean caching,
            int threads)
            throws Exception {
        try (EngineServer server = Servers.real(cap, budget, page, pages, caching, threads)) {
            assertThat(outputs(server, TOKENS)).isEqualTo(Reference.OUTPUTS);
            assertThat(outputs(server, TOKENS)).as("again, with a warm cache").isEqualTo(Reference.OUTPUTS);
        }
    }

    @Test
    void preemptionDoesNotChangeTheOutput() throws Exception {
        try (EngineServer server = Servers.real(8, 64, 16, 26, true, 1);
                Client client = new Client(server.url())) {
            assertThat(outputs(server, TOKENS)).isEqualTo(Reference.OUTPUTS);
            assertThat(client.metric("num_preemptions_total")).isPositive();
        }
    }
}
