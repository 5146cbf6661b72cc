package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * The server under load and how to speak to it.
 *
 * @param baseUrl scheme, host and port, for example {@code http://127.0.0.1:8000}; a path before {@code /v1} is kept
 * @param model the model's name as the server knows it
 * @param apiKey sent as a bearer token where present
 * @param extraBody fields passed through to each request; they win over Assay's own
 * @param ignoreEos whether to send {@code ignore_eos: true}, so that outputs have the length asked for
 * @param usage how much token accounting to ask the server for
 */
public record Target(URI baseUrl, String model, Api api, Optional<String> apiKey, JsonValue.Obj extraBody,
        boolean ignoreEos, Usage usage) {
    /** Which of the OpenAI interfaces. */
    public enum Api {
        /** {@code /v1/completions}. */
        COMPLETIONS,
        /** {@code /v1/chat/completions}. */
        CHAT
    }

    /** What {@code stream_options} asks for. */
    public enum Usage {
        /** Nothing: for servers that reject {@code stream_options}. */
        NONE,
        /** The totals in a last chunk. */
        FINAL,
        /** The totals in a last chunk, and running counts in each chunk where the server knows how. */
        CONTINUOUS
    }

    public Target {
        if (baseUrl.getHost() == null || !"http".equals(baseUrl.getScheme())) {
            throw AssayException.misuse("URL '" + baseUrl + "'; expected http://HOST:PORT"
                    + ("https".equals(baseUrl.getScheme()) ? " (TLS is not supported yet)" : ""));
        }
    }

    /** A target with the defaults: completions, exact lengths, continuous usage, no key. */
    public static Target of(String url, String model) {
        return new Target(parse(url), model, Api.COMPLETIONS, Optional.empty(), JsonValue.Obj.of(Map.of()),
                true,
                Usage.CONTINUOUS);
    }

    /** The same target through another interface. */
    public Target withApi(Api other) {
        return new Target(baseUrl, model, other, apiKey, extraBody, ignoreEos, usage);
    }

    /** The same target for another model. */
    public Target withModel(String other) {
        return new Target(baseUrl, other, api, apiKey, extraBody, ignoreEos, usage);
    }

    /** The same target with the bearer token. */
    public Target withApiKey(Optional<String> key) {
        return new Target(baseUrl, model, api, key, extraBody, ignoreEos, usage);
    }

    /** The same target with these fields passed through. */
    public Target withExtraBody(JsonValue.Obj fields) {
        return new Target(baseUrl, model, api, apiKey, fields, ignoreEos, usage);
    }

    /** The same target with or without {@code ignore_eos}. */
    public Target withIgnoreEos(boolean value) {
        return new Target(baseUrl, model, api, apiKey, extraBody, value, usage);
    }

    /** The same target asking for this much usage. */
    public Target withUsage(Usage value) {
        return new Target(baseUrl, model, api, apiKey, extraBody, ignoreEos, value);
    }

    /** The URL of a text, a trailing slash or {@code /v1} removed; a misuse names what is wrong. */
    public static URI parse(String url) {
        String text = url.strip().replaceAll("/+$", "").replaceAll("/v1$", "");
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("URL '" + url + "'; expected http://HOST:PORT");
        }
    }

    int port() {
        return baseUrl.getPort() < 0 ? 80 : baseUrl.getPort();
    }

    /** The URL's path before {@code /v1}, empty in most cases. */
    String prefix() {
        return Optional.ofNullable(baseUrl.getPath()).orElse("");
    }

    String path() {
        return prefix() + switch (api) {
            case COMPLETIONS -> "/v1/completions";
            case CHAT -> "/v1/chat/completions";
        };
    }
}
