package dev.assay.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import dev.assay.AssayException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both answers were recorded from real servers (vLLM 0.32.0, llama-server build 11434) and cut to the fields read. */
class QualityProbeTest {
    private static final String VLLM = """
            {"choices":[{"index":0,"text":" the LORD","logprobs":{"text_offset":[0,4],"tokens":[" the"," LORD"],
            "token_logprobs":[-2.627847909927368,-3.058105230331421],"top_logprobs":[
            {" a":-3.096597909927368," the":-2.627847909927368},{" LORD":-3.058105230331421," word":-3.714355230331421}]},
            "finish_reason":"length"}]}""";
    private static final String LLAMA = """
            {"choices":[{"text":" the \\u00e9","index":0,"logprobs":{"content":[
            {"id":259,"token":" the","bytes":[32,116,104,101],"logprob":-2.654897689819336,"top_logprobs":[
            {"id":259,"token":" the","bytes":[32,116,104,101],"logprob":-2.654897689819336},
            {"id":258,"token":" a","bytes":[32,97],"logprob":-3.1095714569091797}]},
            {"id":3,"token":"","bytes":[195],"logprob":0,"top_logprobs":[]}]},"finish_reason":"length"}]}""";
    private static final List<QualityPrompt> PROMPT = List.of(new QualityPrompt("w", "The weather today is"));

    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private QualityProbe probe;
    private String base;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/completions", exchange -> {
            requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            String answer = answers.removeFirst();
            byte[] body = answer.substring(4).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        base = "http://127.0.0.1:" + server.getAddress().getPort();
        probe = new QualityProbe(URI.create(base + "/v1/"), "m", Optional.empty(), Duration.ofSeconds(5));
    }

    @AfterEach
    void stop() {
        probe.close();
        server.stop(0);
    }

    @Test
    void readsTheLegacyForm() {
        answers.add("200 " + VLLM);
        GreedyOutput output = probe.greedy(PROMPT, 2).getFirst();
        assertThat(output).isEqualTo(new GreedyOutput("w", "The weather today is", List.of(" the", " LORD"),
                Optional.of(List.of(-2.627847909927368, -3.058105230331421)), " the LORD"));
        assertThat(requests.getFirst())
                .isEqualTo("{\"ignore_eos\":true,\"logprobs\":1,\"max_tokens\":2,\"model\":\"m\","
                        + "\"prompt\":\"The weather today is\",\"temperature\":0}");
    }

    @Test
    void readsTheChatLikeForm() {
        answers.add("200 " + LLAMA);
        GreedyOutput output = probe.greedy(PROMPT, 2).getFirst();
        assertThat(output.tokens()).containsExactly(" the", "bytes:\\xc3");
        assertThat(output.logprobs().orElseThrow()).containsExactly(-2.654897689819336, 0.0);
    }

    @Test
    void bothFormsGiveTheSameAlternatives() {
        answers.addAll(List.of("200 " + VLLM, "200 " + LLAMA));
        TeacherForcing plan = new TeacherForcing(List.of(new TeacherForcing.Position("w", 0, "The", " a"),
                new TeacherForcing.Position("w", 1, "The a", " b")), 0, 0, 0);
        List<List<TokenLogprob>> next = probe.next(plan, 2);
        assertThat(next.get(0)).containsExactly(new TokenLogprob(" the", -2.627847909927368),
                new TokenLogprob(" a", -3.096597909927368));
        assertThat(next.get(1)).containsExactly(new TokenLogprob(" the", -2.654897689819336),
                new TokenLogprob(" a", -3.1095714569091797));
        PositionDifference d = PositionDifference.of(plan.positions().getFirst(), next.get(0), next.get(1));
        assertThat(d.difference()).isCloseTo(-3.1095714569091797 + 3.096597909927368, within(1e-12));
    }

    @Test
    void missingLogprobsLeaveTheText() {
        answers.add("200 {\"choices\":[{\"text\":\"h\\u00e9\",\"logprobs\":null}]}");
        GreedyOutput output = probe.greedy(PROMPT, 2).getFirst();
        assertThat(output.tokens()).containsExactly("h", "\u00e9");
        assertThat(output.logprobs()).isEmpty();
    }

    @Test
    void asksForFewerAlternativesWhereTheServerRefuses() {
        answers.add(
                "400 {\"error\":{\"message\":\"Requested sample logprobs of 30, which is greater than max allowed: 20\"}}");
        answers.addAll(List.of("200 " + VLLM, "200 " + VLLM));
        TeacherForcing.Position position = new TeacherForcing.Position("w", 0, "The", " a");
        probe.next(new TeacherForcing(List.of(position, position), 0, 0, 0), 30);
        assertThat(requests).hasSize(3);
        assertThat(requests.get(1)).contains("\"logprobs\":20");
        assertThat(requests.get(2)).contains("\"logprobs\":20");
    }

    @Test
    void errorsAreOneLine() {
        answers.add("500 {\"error\":\n {\"message\": \"out of memory\"}}");
        assertThatThrownBy(() -> probe.greedy(PROMPT, 2)).isInstanceOf(AssayException.class)
                .hasMessage("POST " + base
                        + "/v1/completions: HTTP 500: {\"error\": {\"message\": \"out of memory\"}}; expected a completion");
        answers.add("200 <html>");
        assertThatThrownBy(() -> probe.greedy(PROMPT, 2)).isInstanceOf(AssayException.class)
                .hasMessageContaining("answer of " + base + "/v1/completions").hasMessageNotContaining("\n");
        answers.add(
                "200 {\"choices\":[{\"text\":\"x\",\"logprobs\":{\"tokens\":[\"x\"],\"token_logprobs\":[]}}]}");
        assertThatThrownBy(() -> probe.greedy(PROMPT, 2)).isInstanceOf(AssayException.class)
                .hasMessageContaining("0 token_logprobs and 0 top_logprobs: expected one per token, 1");
        server.stop(0);
        assertThatThrownBy(() -> probe.greedy(PROMPT, 2)).isInstanceOf(AssayException.class)
                .hasMessageEndingWith("; expected a running server").hasMessageNotContaining("\n");
    }
}
