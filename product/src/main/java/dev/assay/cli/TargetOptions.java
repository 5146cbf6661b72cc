package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.Probe;
import dev.assay.load.Target;
import dev.assay.load.Transport;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a server and say how to speak to it. */
final class TargetOptions {
    @Option(names = "--url", paramLabel = "URL", description = "The server: http://HOST:PORT or https://HOST:PORT. A proxy is taken from http_proxy, https_proxy and no_proxy.")
    private @Nullable String url;

    @Option(names = "--model", paramLabel = "NAME", description = "The model's name; asked from the server if left out.")
    private @Nullable String model;

    @Option(names = "--api", paramLabel = "API", defaultValue = "completions", description = "completions, chat (OpenAI), sglang (/generate), tgi (/generate_stream) or llama.cpp (/completion); default ${DEFAULT-VALUE}.")
    private String api = "completions";

    @Option(names = "--usage", paramLabel = "KIND", defaultValue = "continuous", description = "Token accounting to ask an OpenAI interface for: none, final or continuous (default ${DEFAULT-VALUE}).")
    private String usage = "continuous";

    @Option(names = "--no-ignore-eos", description = "Let the server end an answer early.")
    private boolean noIgnoreEos;

    @Option(names = "--extra-body", paramLabel = "JSON", description = "Fields added to each request; they win over Assay's own, null takes a field out.")
    private @Nullable String extraBody;

    @Option(names = "--header", paramLabel = "NAME: VALUE", description = "A header added to each request; may be repeated.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--cacert", paramLabel = "FILE", description = "Certificates (PEM) to believe instead of the JDK's, for https.")
    private @Nullable Path caCert;

    @Option(names = "--insecure", description = "Believe any certificate.")
    private boolean insecure;

    @Option(names = "--http2", description = "Send the load by HTTP/2: agreed on by TLS (ALPN) for https, without asking (h2c) for http.")
    private boolean http2;

    /** The API key from the environment: {@code ASSAY_API_KEY}, else {@code OPENAI_API_KEY}. */
    static Optional<String> apiKey() {
        return Optional.ofNullable(System.getenv("ASSAY_API_KEY"))
                .or(() -> Optional.ofNullable(System.getenv("OPENAI_API_KEY")))
                .filter(key -> !key.isBlank()).map(String::strip);
    }

    /** Where the options say that the server is. */
    Optional<URI> url() {
        return Optional.ofNullable(url).map(Target::parse);
    }

    /** The server as the options name it; asks it for its model where none is given. */
    Target target() {
        return target(url().orElseThrow(() -> AssayException
                .misuse("--url is missing; expected http://HOST:PORT or https://HOST:PORT")));
    }

    /** The server at {@code base}, whatever {@code --url} says. */
    Target target(URI base) {
        Transport way = Transport.to(base).withCertificates(Optional.ofNullable(caCert), insecure);
        way.use(base);
        Target target = Target
                .of(base.toString(), "unnamed").withTransport(way).withApi(Target.Api.of(api).orElseThrow(
                        () -> unknown("--api", api,
                                Arrays.stream(Target.Api.values()).map(Target.Api::title).toList())))
                .withUsage(usage()).withIgnoreEos(!noIgnoreEos).withApiKey(apiKey()).withExtraBody(extra())
                .withHeaders(headers.stream().map(TargetOptions::header).toList())
                .withProtocol(http2 ? Target.Protocol.HTTP_2 : Target.Protocol.HTTP_1_1);
        return target.withModel(model == null ? Probe.model(target) : model);
    }

    private static Target.Header header(String text) {
        try {
            return Target.Header.parse(text);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("--header: " + e.getMessage());
        }
    }

    private Target.Usage usage() {
        return Arrays.stream(Target.Usage.values()).filter(u -> u.name().equalsIgnoreCase(usage)).findFirst()
                .orElseThrow(() -> unknown("--usage", usage, Arrays.stream(Target.Usage.values())
                        .map(u -> u.name().toLowerCase(Locale.ROOT)).toList()));
    }

    private JsonValue.Obj extra() {
        return extraBody == null
                ? JsonValue.Obj.of(Map.of())
                : Json.parse(extraBody, "--extra-body").asObject();
    }

    private static AssayException unknown(String option, String text, List<String> known) {
        return AssayException
                .misuse(option + " is '" + text + "'; expected one of " + String.join(", ", known));
    }
}
