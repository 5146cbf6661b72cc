package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The HTTP API over {@link ToyDecoder}: shapes, errors, disconnects, many clients, and metrics that add up. */
@Tag("kernels")
class HttpApiIT {
    private static final String COMPLETIONS = "/v1/completions";
    private static final String CHAT = "/v1/chat/completions";

    private static EngineServer server;
    private static Client client;

    @BeforeAll
    static void start() {
        server = Servers.toy(4, 64, 400, true, 200_000);
        client = new Client(server.url());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static long usage(JsonValue.Obj answer, String field) {
        return answer.require("usage").asObject().require(field).asLong();
    }

    @Test
    void streamEqualsTheWholeAnswerAndCarriesUsage() throws Exception {
        String body = "{\"model\":\"assay-18m\",\"prompt\":\"In the beginning\",\"temperature\":0,\"max_tokens\":30,"
                + "\"ignore_eos\":true,\"return_token_ids\":true";
        JsonValue.Obj whole = client.post(COMPLETIONS, body + "}");
        Client.Stream stream = client.stream(COMPLETIONS, body
                + ",\"stream\":true,\"stream_options\":{\"include_usage\":true,\"continuous_usage_stats\":true}}");
        JsonValue.Obj choice = Client.choice(whole).orElseThrow();
        assertThat(stream.text()).isEqualTo(choice.require("text").asText());
        assertThat(stream.tokens()).hasSize(30).isEqualTo(
                choice.require("token_ids").asList().stream().map(id -> (int) id.asLong()).toList());
        assertThat(stream.finish()).isEqualTo("[length]");
        assertThat(stream.done()).isTrue();
        assertThat(stream.chunks()).as("one per token and the usage").hasSize(31);
        assertThat(stream.chunks().stream().map(c -> usage(c, "completion_tokens")).toList())
                .startsWith(1L, 2L, 3L).endsWith(30L, 30L);
        assertThat(usage(whole, "prompt_tokens")).isEqualTo(3);
        assertThat(usage(whole, "total_tokens")).isEqualTo(33);
        assertThat(
                Client.choice(stream.chunks().getFirst()).orElseThrow().require("prompt_token_ids").asList())
                .extracting(JsonValue::asLong).containsExactly(1022L, 259L, 2346L);
    }

    @Test
    void chatStreamsARoleFirst() throws Exception {
        String body = "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hello\"}]}],"
                + "\"temperature\":0,\"max_completion_tokens\":8,\"ignore_eos\":true,\"logprobs\":true,"
                + "\"top_logprobs\":2";
        Client.Stream stream = client.stream(CHAT, body + ",\"stream\":true}");
        JsonValue.Obj first = Client.choice(stream.chunks().getFirst()).orElseThrow();
        assertThat(first.require("delta").asObject().require("role").asText()).isEqualTo("assistant");
        assertThat(stream.chunks()).hasSize(9);
        JsonValue.Obj choice = Client.choice(client.post(CHAT, body + "}")).orElseThrow();
        assertThat(choice.require("message").asObject().require("content").asText()).isEqualTo(stream.text());
        List<JsonValue> logprobs = choice.require("logprobs").asObject().require("content").asList();
        assertThat(logprobs).hasSize(8).allSatisfy(entry -> {
            List<JsonValue> top = entry.asObject().require("top_logprobs").asList();
            assertThat(top).hasSize(2);
            assertThat(top.getFirst().asObject().require("logprob").asDouble())
                    .as("greedy takes the most likely")
                    .isEqualTo(entry.asObject().require("logprob").asDouble());
        });
    }

    @Test
    void legacyLogprobsSumToAtMostOne() throws Exception {
        JsonValue.Obj logprobs = Client.choice(client.post(COMPLETIONS,
                "{\"prompt\":[5,6,7],\"temperature\":0,\"max_tokens\":4,\"ignore_eos\":true,\"logprobs\":5}"))
                .orElseThrow().require("logprobs").asObject();
        assertThat(logprobs.require("tokens").asList()).hasSize(4);
        assertThat(logprobs.require("token_logprobs").asList()).hasSize(4);
        assertThat(logprobs.require("text_offset").asList().getFirst().asLong()).isZero();
        for (JsonValue top : logprobs.require("top_logprobs").asList()) {
            double mass = top.asObject().fields().values().stream().mapToDouble(p -> Math.exp(p.asDouble()))
                    .sum();
            assertThat(mass).isPositive().isLessThanOrEqualTo(1);
        }
    }

    @Test
    void seedDecidesASampledText() throws Exception {
        String body = "{\"prompt\":\"Let there\",\"temperature\":1,\"max_tokens\":20,\"ignore_eos\":true,\"seed\":";
        String first = Client.choice(client.post(COMPLETIONS, body + "7}")).orElseThrow().require("text")
                .asText();
        assertThat(
                Client.choice(client.post(COMPLETIONS, body + "7}")).orElseThrow().require("text").asText())
                .isEqualTo(first);
        assertThat(
                Client.choice(client.post(COMPLETIONS, body + "8}")).orElseThrow().require("text").asText())
                .isNotEqualTo(first);
    }

    @Test
    void stopTextEndsTheAnswerBeforeIt() throws Exception {
        String body = "{\"prompt\":\"stop test\",\"temperature\":0,\"max_tokens\":40,\"ignore_eos\":true,\"echo\":true";
        String text = Client.choice(client.post(COMPLETIONS, body + "}")).orElseThrow().require("text")
                .asText();
        assertThat(text).startsWith("stop test");
        String stop = text.substring(40, 44);
        JsonValue.Obj choice = Client.choice(client.post(COMPLETIONS,
                body + ",\"stop\":" + Json.canonical(JsonValue.of(stop)) + "}")).orElseThrow();
        assertThat(choice.require("text").asText()).isEqualTo(text.substring(0, text.indexOf(stop, 9)));
        assertThat(choice.require("finish_reason").asText()).isEqualTo("stop");
        assertThat(choice.require("stop_reason").asText()).isEqualTo(stop);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{|400|body:1:2", "[]|400|body: expected an object",
            "{}|400|prompt: is missing",
            "{\"prompt\":\"\"}|400|prompt: must have at least 1 token",
            "{\"prompt\":[4096]}|400|prompt: token id 4096 at index 0",
            "{\"prompt\":[\"a\",\"b\"]}|400|prompt: one prompt per request",
            "{\"prompt\":true}|400|prompt: expected a text or a list of token ids, found true or false",
            "{\"prompt\":\"a\",\"model\":\"gpt\"}|404|model: 'gpt' is not served",
            "{\"prompt\":\"a\",\"n\":2}|400|n: only 1 is supported, was 2",
            "{\"prompt\":\"a\",\"max_tokens\":0}|400|max_tokens: must be at least 1, was 0",
            "{\"prompt\":\"a\",\"max_tokens\":4000}|400|max_tokens: 4000 and a prompt of 1 tokens exceed",
            "{\"prompt\":\"a\",\"max_tokens\":\"4\"}|400|max_tokens: expected a whole number, found a text",
            "{\"prompt\":\"a\",\"temperature\":-1}|400|temperature: must be between",
            "{\"prompt\":\"a\",\"top_p\":0.5}|400|top_p: only 1 is supported, was 0.5",
            "{\"prompt\":\"a\",\"logprobs\":21}|400|logprobs: must be between 0 and 20",
            "{\"prompt\":\"a\",\"stream_options\":{}}|400|stream_options: needs stream",
            "{\"prompt\":\"a\",\"stop\":[1]}|400|stop: expected a text or a list of texts",
            "{\"prompt\":\"a\",\"min_tokens\":17}|400|min_tokens: must be between 0 and 16",
            "{\"prompt\":\"a\",\"logit_bias\":{\"1\":2}}|400|logit_bias: is not supported"})
    void badRequestsSayWhatIsWrong(String body, int status, String message) throws Exception {
        var response = client.send(COMPLETIONS, body);
        assertThat(response.statusCode()).isEqualTo(status);
        JsonValue.Obj error = Json.parse(response.body(), "error").asObject().require("error").asObject();
        assertThat(error.require("message").asText()).startsWith(message);
        assertThat(error.require("type").asText()).isEqualTo("invalid_request_error");
    }

    @Test
    void wrongPathsMethodsAndSizes() throws Exception {
        assertThat(client.get("/v1/nothing").statusCode()).isEqualTo(404);
        assertThat(client.get("/v1/completions/more").statusCode()).isEqualTo(404);
        assertThat(client.get(COMPLETIONS).statusCode()).isEqualTo(405);
        String huge = "{\"prompt\":\"" + "a".repeat(Exchanges.MAX_BODY_BYTES) + "\"}";
        assertThat(client.send(COMPLETIONS, huge).statusCode()).isEqualTo(413);
        assertThat(client.send(COMPLETIONS, "{\"prompt\":\"" + "word ".repeat(3000) + "\"}").body())
                .contains("context_length_exceeded");
        assertThat(client.send(CHAT, "{\"messages\":[{\"content\":\"x\"}]}").body())
                .contains("messages[0].role");
        assertThat(client.get("/debug/steps?since=x").statusCode()).isEqualTo(400);
    }

    @Test
    void describesItself() throws Exception {
        assertThat(client.get("/health").statusCode()).isEqualTo(200);
        JsonValue.Obj model = Json.parse(client.get("/v1/models").body(), "models").asObject().require("data")
                .asList()
                .getFirst().asObject();
        assertThat(model.require("id").asText()).isEqualTo("assay-18m");
        assertThat(model.require("meta").asObject().require("n_params").asLong()).isEqualTo(17_678_208);
        JsonValue.Obj tokens = client.post("/tokenize", "{\"prompt\":\"In the beginning\"}");
        assertThat(tokens.require("count").asLong()).isEqualTo(3);
        JsonValue.Obj config = Json.parse(client.get("/debug/config").body(), "config").asObject();
        assertThat(config.require("max_num_seqs").asLong()).isEqualTo(4);
        assertThat(config.require("model_sha256").asText()).isEqualTo(Digests.file(Servers.MODEL));
        assertThat(config.require("kernels_sha256").asText()).hasSize(64);
        assertThat(client.metric("config_info", "max_num_batched_tokens=\"64\"", "kernels_sha256=\""))
                .isEqualTo(1);
    }

    @Test
    void resetMakesTheCacheCold() throws Exception {
        String body = "{\"prompt\":" + java.util.stream.IntStream.range(0, 64).boxed().toList()
                + ",\"temperature\":0,\"max_tokens\":2,\"ignore_eos\":true}";
        client.post(COMPLETIONS, body);
        JsonValue.Obj warm = client.post(COMPLETIONS, body);
        assertThat(client.send("/reset_prefix_cache", "").statusCode()).isEqualTo(200);
        JsonValue.Obj cold = client.post(COMPLETIONS, body);
        assertThat(cached(warm)).isEqualTo(48);
        assertThat(cached(cold)).isZero();
        assertThat(Client.choice(cold).orElseThrow().require("text").asText())
                .isEqualTo(Client.choice(warm).orElseThrow().require("text").asText());
    }

    private static long cached(JsonValue.Obj answer) {
        return answer.require("usage").asObject().require("prompt_tokens_details").asObject()
                .require("cached_tokens")
                .asLong();
    }

    @Test
    void disconnectFreesThePages() throws Exception {
        double aborted = client.metric("request_success_total", "\"abort\"");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String body = "{\"prompt\":\"a\",\"max_tokens\":2000,\"ignore_eos\":true,\"stream\":true}";
            socket.getOutputStream().write(("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
            assertThat(socket.getInputStream().readNBytes(300)).hasSize(300);
        }
        for (int i = 0; i < 300 && client.metric("request_success_total", "\"abort\"") == aborted; i++) {
            Thread.sleep(10);
        }
        assertThat(client.metric("request_success_total", "\"abort\"")).isEqualTo(aborted + 1);
        assertThat(client.metric("cancelled_tokens_total")).isBetween(1.0, 1999.0);
        assertThat(client.metric("kv_pages_used")).isZero();
    }

    @Test
    void thirtyClientsAgainstCapFourAndMetricsThatAddUp() throws Exception {
        double generatedBefore = client.metric("generation_tokens_total");
        double promptBefore = client.metric("prompt_tokens_total");
        long nextStep = (long) client.metric("steps_total");
        double decodeBefore = client.metric("step_kind_seconds_total", "\"decode\"");
        long generated = 0;
        long prompts = 0;
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonValue.Obj>> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                answers.add(pool.submit(request(i)));
            }
            for (Future<JsonValue.Obj> answer : answers) {
                generated += usage(answer.get(), "completion_tokens");
                prompts += usage(answer.get(), "prompt_tokens");
            }
        }
        assertThat(client.metric("generation_tokens_total") - generatedBefore).isEqualTo((double) generated);
        assertThat(client.metric("prompt_tokens_total") - promptBefore).isEqualTo((double) prompts);
        List<JsonValue.Obj> steps = client.get("/debug/steps?since=" + nextStep).body().lines()
                .map(line -> Json.parse(line, "step").asObject()).toList();
        assertThat(steps).allSatisfy(step -> {
            assertThat(step.require("running").asLong()).isBetween(1L, 4L);
            assertThat(step.require("kind").asText()).isIn("decode", "mixed", "prefill");
        });
        assertThat(steps.stream().mapToLong(step -> step.require("queue_depth").asLong()).max().orElse(0))
                .as("some had to wait").isPositive();
        assertThat(client.metric("step_kind_seconds_total", "\"decode\"") - decodeBefore)
                .isCloseTo(steps.stream().filter(step -> step.require("kind").asText().equals("decode"))
                        .mapToLong(step -> step.require("wall_ns").asLong()).sum() / 1e9, within(1e-6));
        assertThat(client.metric("admission_waits_total", "\"cap\"")).isPositive();
        assertThat(client.metric("time_to_first_token_seconds_count"))
                .isEqualTo(client.metric("request_success_total"));
    }

    private static Callable<JsonValue.Obj> request(int i) throws IOException {
        String body = "{\"prompt\":\"client " + i + "\",\"temperature\":0,\"ignore_eos\":true,\"max_tokens\":"
                + (10 + i);
        return i % 2 == 0
                ? () -> client.post(COMPLETIONS, body + "}")
                : () -> client.stream(COMPLETIONS,
                        body + ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}").chunks()
                        .getLast();
    }
}
