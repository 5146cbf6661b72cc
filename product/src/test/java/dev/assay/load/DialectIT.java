package dev.assay.load;

import static dev.assay.load.LoadFixtures.one;
import static dev.assay.load.LoadFixtures.options;
import static dev.assay.load.LoadFixtures.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each interface over a real socket: what is asked for, what counts as a token, and what ends a stream. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class DialectIT {
    private static String sglang(String text, int tokens, String finish) {
        return "{\"text\":\"" + text + "\",\"meta_info\":{\"id\":\"a\",\"finish_reason\":" + finish
                + ",\"prompt_tokens\":9,\"completion_tokens\":" + tokens
                + ",\"cached_tokens\":4,\"e2e_latency\":0.1}}";
    }

    private static String tgi(String text, boolean special, String generated, String details) {
        return "{\"index\":1,\"token\":{\"id\":5,\"text\":\"" + text + "\",\"logprob\":-1.5,\"special\":"
                + special
                + "},\"generated_text\":" + generated + ",\"details\":" + details + "}";
    }

    private static String llama(String text, int tokens, boolean stop) {
        return "{\"index\":0,\"content\":\"" + text + "\",\"tokens\":[],\"stop\":" + stop
                + ",\"id_slot\":-1,\"tokens_predicted\":" + tokens + ",\"tokens_evaluated\":6"
                + (stop ? ",\"tokens_cached\":9,\"timings\":{\"cache_n\":2,\"prompt_n\":4}" : "") + "}";
    }

    @Test
    void sglangRepeatsTheTextAndCountsItsTokens() throws IOException {
        RequestOutcome o = one(Target.Api.SGLANG, e -> e.stream().event(sglang("a", 1, "null"))
                .event(sglang("a b", 2, "null"))
                .event(sglang("a b c d", 4, "{\"type\":\"length\",\"length\":4}"))
                .done());
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.text()).isEqualTo("a b c d");
        assertThat(o.contentTokens()).containsExactly(1, 1, 2);
        assertThat(o.outputTokens()).isEqualTo(4);
        assertThat(o.promptTokens()).hasValue(9);
        assertThat(o.cachedTokens()).hasValue(4);
        RequestOutcome cut = one(Target.Api.SGLANG,
                e -> e.stream().event(sglang("a", 1, "null")).write("0\r\n\r\n"));
        assertThat(cut.failure()).contains(FailureClass.TRUNCATED);
        RequestOutcome aborted = one(Target.Api.SGLANG, e -> e.stream().event(sglang("a", 1, "null"))
                .event(sglang("a", 1, "{\"type\":\"abort\",\"message\":\"out of memory\"}")).done());
        assertThat(aborted.failure()).contains(FailureClass.ERROR_EVENT);
        assertThat(aborted.detail()).contains("out of memory");
    }

    @Test
    void sglangWithIncrementalOutputKeepsItsTextToo() throws IOException {
        RequestOutcome o = one(Target.Api.SGLANG, e -> e.stream().event(sglang("a", 1, "null"))
                .event(sglang(" b", 2, "null")).event(sglang(" c", 3, "null")).done());
        assertThat(o.text()).isEqualTo("a b c");
    }

    @Test
    void tgiEndsAtItsGeneratedTextWithoutDone() throws IOException {
        RequestOutcome o = one(Target.Api.TGI,
                e -> e.stream().event(tgi("a", false, "null", "null")).event(tgi("", false, "null", "null"))
                        .event(tgi("</s>", true, "\"a\"",
                                "{\"finish_reason\":\"eos_token\",\"generated_tokens\":3,\"input_length\":6}"))
                        .write("0\r\n\r\n"));
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.text()).isEqualTo("a");
        assertThat(o.contentTokens()).containsExactly(1, 1, 1);
        assertThat(o.outputTokens()).isEqualTo(3);
        assertThat(o.usageReported()).isTrue();
        assertThat(o.promptTokens()).hasValue(6);
        RequestOutcome cut = one(Target.Api.TGI,
                e -> e.stream().event(tgi("a", false, "null", "null")).write("0\r\n\r\n"));
        assertThat(cut.failure()).contains(FailureClass.TRUNCATED);
        assertThat(cut.detail()).contains("generated_text");
        RequestOutcome error = one(Target.Api.TGI, e -> e.stream().event(tgi("a", false, "null", "null"))
                .event("{\"error\":\"Request failed during generation\",\"error_type\":\"generation\"}"));
        assertThat(error.failure()).contains(FailureClass.ERROR_EVENT);
    }

    @Test
    void llamaCppEndsAtStopWithoutDone() throws IOException {
        RequestOutcome o = one(Target.Api.LLAMA_CPP,
                e -> e.stream().event(llama("", 0, false)).event(llama(" a", 1, false))
                        .event(llama("", 2, false))
                        .event(llama("é", 3, false)).event(llama("", 3, true)).write("0\r\n\r\n"));
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.text()).isEqualTo(" aé");
        assertThat(o.contentTokens()).containsExactly(1, 1, 1);
        assertThat(o.promptTokens()).hasValue(6);
        assertThat(o.cachedTokens()).hasValue(2);
        RequestOutcome empty = one(Target.Api.LLAMA_CPP,
                e -> e.stream().event(llama("", 0, true)).write("0\r\n\r\n"));
        assertThat(empty.failure()).contains(FailureClass.EMPTY);
        RequestOutcome cut = one(Target.Api.LLAMA_CPP,
                e -> e.stream().event(llama(" a", 1, false)).write("0\r\n\r\n"));
        assertThat(cut.failure()).contains(FailureClass.TRUNCATED);
    }

    /** A connection whose stream ended by its own rule serves the next request. */
    @ParameterizedTest
    @EnumSource(Target.Api.class)
    void connectionsOfEveryInterfaceAreReused(Target.Api api) throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> {
            e.stream();
            switch (api) {
                case COMPLETIONS -> e.text("a").done();
                case CHAT -> e.event("{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}").done();
                case SGLANG -> e.event(sglang("a", 1, "null")).done();
                case TGI -> e.event(tgi("a", false, "\"a\"", "null")).write("0\r\n\r\n");
                case LLAMA_CPP -> e.event(llama("a", 1, false)).event(llama("", 1, true)).write("0\r\n\r\n");
            }
        })) {
            LoadRun run = LoadGenerator.run(Target.of(server.url(), "m").withApi(api), requests(20, 0, 1),
                    LoadOptions.closedLoop(1));
            assertThat(run.outcomes()).hasSize(20).allMatch(RequestOutcome::completed);
            // One more where the end of a response trails its terminator.
            assertThat(server.connections()).isLessThanOrEqualTo(8);
        }
    }

    private static JsonValue.Obj body(Target target, History history) {
        ByteBuffer bytes = new RequestEncoder(target)
                .encode(new Request(7, 0, "tell \"me\"\n", 4, 12, "d", Optional.empty()), history);
        String text = StandardCharsets.UTF_8.decode(bytes).toString();
        int split = text.indexOf("\r\n\r\n");
        String body = text.substring(split + 4);
        assertThat(text.substring(0, split)).startsWith("POST " + target.path() + " HTTP/1.1\r\n")
                .contains("\r\nHost: 127.0.0.1:1\r\n").contains("\r\nX-Request-Id: Assay-Request-7\r\n")
                .endsWith("\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length);
        return Json.parse(body, "body").asObject();
    }

    private static String canonical(Target.Api api, History history) {
        return Json.canonical(body(Target.of("http://127.0.0.1:1", "m").withApi(api), history));
    }

    @Test
    void everyInterfaceIsAskedInItsWords() {
        assertThat(canonical(Target.Api.SGLANG, History.EMPTY)).isEqualTo(
                "{\"sampling_params\":{\"ignore_eos\":true,\"max_new_tokens\":12,\"temperature\":0},\"stream\":true,"
                        + "\"text\":\"tell \\\"me\\\"\\n\"}");
        assertThat(canonical(Target.Api.TGI, History.EMPTY)).isEqualTo("{\"inputs\":\"tell \\\"me\\\"\\n\","
                + "\"parameters\":{\"details\":true,\"do_sample\":false,\"max_new_tokens\":12}}");
        assertThat(canonical(Target.Api.LLAMA_CPP, History.EMPTY)).isEqualTo(
                "{\"ignore_eos\":true,\"n_predict\":12,\"prompt\":\"tell \\\"me\\\"\\n\",\"stream\":true,\"temperature\":0}");
    }

    @Test
    void aConversationGoesOnAsMessagesOrAsOneText() {
        History history = History.EMPTY.and("p1\\", "a\"1\u0001").and("p2", "é2");
        JsonValue.Obj chat = body(Target.of("http://127.0.0.1:1", "m").withApi(Target.Api.CHAT), history);
        assertThat(Json.canonical(chat.require("messages"))).isEqualTo(
                "[{\"content\":\"p1\\\\\",\"role\":\"user\"},{\"content\":\"a\\\"1\\u0001\",\"role\":\"assistant\"},"
                        + "{\"content\":\"p2\",\"role\":\"user\"},{\"content\":\"é2\",\"role\":\"assistant\"},"
                        + "{\"content\":\"tell \\\"me\\\"\\n\",\"role\":\"user\"}]");
        for (Target.Api api : List.of(Target.Api.COMPLETIONS, Target.Api.SGLANG, Target.Api.TGI,
                Target.Api.LLAMA_CPP)) {
            assertThat(canonical(api, history)).contains(
                    "\"p1\\\\a\\\"1\\u0001p2é2tell \\\"me\\\"\\n\"");
        }
        assertThat(history.turns()).isEqualTo(2);
    }

    @Test
    void extraFieldsAreMergedAndNullTakesOneOut() {
        Target target = Target.of("http://127.0.0.1:1", "m").withApi(Target.Api.SGLANG)
                .withExtraBody(Json.parse(
                        "{\"sampling_params\":{\"top_k\":5,\"ignore_eos\":null},\"lora_path\":\"x\"}", "t")
                        .asObject());
        assertThat(Json.canonical(body(target, History.EMPTY))).isEqualTo(
                "{\"lora_path\":\"x\",\"sampling_params\":{\"max_new_tokens\":12,\"temperature\":0,\"top_k\":5},"
                        + "\"stream\":true,\"text\":\"tell \\\"me\\\"\\n\"}");
        Target own = Target.of("http://127.0.0.1:1", "m")
                .withExtraBody(JsonValue.Obj.of(Map.of("max_tokens", JsonValue.of(3))));
        assertThat(Json.canonical(body(own, History.EMPTY))).contains("\"max_tokens\":3");
        assertThatThrownBy(() -> new RequestEncoder(Target.of("http://127.0.0.1:1", "m")
                .withExtraBody(JsonValue.Obj.of(Map.of("prompt", JsonValue.of("x"))))))
                .hasMessageContaining("'prompt'");
    }

    @Test
    void headersPassThroughAndOneOfTheUsersWins() throws IOException {
        StringBuilder heads = new StringBuilder();
        try (ScriptedServer server = new ScriptedServer(e -> {
            heads.append(e.head());
            e.stream().text("a").done();
        })) {
            Target target = Target.of(server.url(), "m").withApiKey(Optional.of("secret"))
                    .withHeaders(List.of(Target.Header.parse("X-Tenant:  a b "),
                            Target.Header.parse("authorization: Basic eA==")));
            assertThat(LoadGenerator.run(target, requests(1, 0, 1), options()).outcomes())
                    .allMatch(RequestOutcome::completed);
        }
        assertThat(heads.toString()).contains("\r\nX-Tenant: a b\r\n", "\r\nauthorization: Basic eA==\r\n")
                .doesNotContain("secret");
        for (String bad : List.of("no colon", "a b: c", "x: a\r\nEvil: 1", "Content-Length: 3", ": x")) {
            assertThatThrownBy(() -> Target.Header.parse(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
