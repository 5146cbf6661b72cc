package dev.assay.engine;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client of the server's API, for tests. */
final class Client implements AutoCloseable {
    /** What one stream brought. */
    record Stream(List<JsonValue.Obj> chunks, boolean done) {
        List<Integer> tokens() {
            return chunks.stream().map(Client::choice).flatMap(Optional::stream)
                    .flatMap(choice -> choice.require("token_ids").asList().stream())
                    .map(id -> (int) id.asLong())
                    .toList();
        }

        String text() {
            StringBuilder text = new StringBuilder();
            chunks.stream().map(Client::choice).flatMap(Optional::stream)
                    .forEach(choice -> text.append(choice.get("text").map(JsonValue::asText)
                            .orElseGet(
                                    () -> choice.require("delta").asObject().require("content").asText())));
            return text.toString();
        }

        String finish() {
            return chunks.stream().map(Client::choice).flatMap(Optional::stream)
                    .flatMap(choice -> choice.get("finish_reason").stream()).map(JsonValue::asText).toList()
                    .toString();
        }
    }

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    Client(String url) {
        this.url = url;
    }

    static Optional<JsonValue.Obj> choice(JsonValue.Obj chunk) {
        List<JsonValue> choices = chunk.require("choices").asList();
        return choices.isEmpty() ? Optional.empty() : Optional.of(choices.getFirst().asObject());
    }

    HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
        return http.send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    JsonValue.Obj post(String path, String body) throws IOException, InterruptedException {
        return Json.parse(send(path, body).body(), path).asObject();
    }

    Stream stream(String path, String body) throws IOException, InterruptedException {
        var response = http.send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofLines());
        List<JsonValue.Obj> chunks = new ArrayList<>();
        boolean done = false;
        for (String line : response.body().toList()) {
            if (line.equals("data: [DONE]")) {
                done = true;
            } else if (!line.isEmpty()) {
                chunks.add(Json.parse(line.substring("data: ".length()), "chunk").asObject());
            }
        }
        return new Stream(chunks, done);
    }

    /** Sum of all samples of a series whose line contains each of the parts. */
    double metric(String name, String... parts) throws IOException, InterruptedException {
        return get("/metrics").body().lines().filter(line -> line.startsWith(MetricsText.PREFIX + name + "{"))
                .filter(line -> List.of(parts).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path));
    }

    @Override
    public void close() {
        http.close();
    }
}
