package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The server under load and how to speak to it.
 *
 * @param baseUrl scheme, host and port, for example {@code http://127.0.0.1:8000}; a path before {@code /v1} is kept
 * @param model the model's name as the server knows it
 * @param apiKey sent as a bearer token where present and no header says otherwise
 * @param extraBody fields passed through to each request; they win over Assay's own, an object is merged with Assay's,
 * a null takes a field out
 * @param headers passed through with each request
 * @param ignoreEos whether to send {@code ignore_eos: true}, so that outputs have the length asked for
 * @param usage how much token accounting to ask the server for
 * @param transport the way to the server
 * @param protocol what is spoken on that way
 */
public record Target(URI baseUrl, String model, Api api, Optional<String> apiKey, JsonValue.Obj extraBody,
        List<Header> headers, boolean ignoreEos, Usage usage, Transport transport, Protocol protocol) {
    private static final List<String> NOT_IN_HTTP_2 = List.of("keep-alive", "proxy-connection", "te");

    /** Which interface: what is sent, where the events hold their tokens, and what ends a stream. */
    public enum Api {
        /** OpenAI {@code /v1/completions}; {@code [DONE]} ends the stream. */
        COMPLETIONS("completions", "/v1/completions", "[DONE]", false),
        /** OpenAI {@code /v1/chat/completions}; {@code [DONE]} ends the stream. */
        CHAT("chat", "/v1/chat/completions", "[DONE]", false),
        /** SGLang {@code /generate}, whose events repeat the text so far; {@code [DONE]} ends the stream. */
        SGLANG("sglang", "/generate", "[DONE]", true),
        /** TGI {@code /generate_stream}, one event a token; the event with {@code generated_text} ends the stream. */
        TGI("tgi", "/generate_stream", "an event with generated_text", false),
        /** llama.cpp {@code /completion}; the event with {@code stop: true} ends the stream. */
        LLAMA_CPP("llama.cpp", "/completion", "an event with stop: true", false);

        private final String title;
        private final String path;
        private final String ending;
        private final boolean cumulative;

        Api(String title, String path, String ending, boolean cumulative) {
            this.title = title;
            this.path = path;
            this.ending = ending;
            this.cumulative = cumulative;
        }

        /** Its name on the command line and in files. */
        public String title() {
            return title;
        }

        /** The interface of that name, in any case; empty where there is none. */
        public static Optional<Api> of(String text) {
            String wanted = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
            for (Api api : values()) {
                if (api.title.replaceAll("[^a-z]", "").equals(wanted)) {
                    return Optional.of(api);
                }
            }
            return Optional.empty();
        }

        EventGrammar grammar() {
            return switch (this) {
                case COMPLETIONS, CHAT -> EventGrammar.OPENAI;
                case SGLANG -> EventGrammar.SGLANG;
                case TGI -> EventGrammar.TGI;
                case LLAMA_CPP -> EventGrammar.LLAMA_CPP;
            };
        }

        /** What a stream must hold to have ended well, in words. */
        String ending() {
            return ending;
        }

        /** Whether an event repeats the text of those before it. */
        boolean cumulative() {
            return cumulative;
        }
    }

    /** What {@code stream_options} asks for; the interfaces that are not OpenAI's count tokens unasked. */
    public enum Usage {
        /** Nothing: for servers that reject {@code stream_options}. */
        NONE,
        /** The totals in a last chunk. */
        FINAL,
        /** The totals in a last chunk, and running counts in each chunk where the server knows how. */
        CONTINUOUS
    }

    /** The version of HTTP that the load is sent by; probes and scrapes always go by HTTP/1.1. */
    public enum Protocol {
        /** One exchange at a time on a connection, which is kept alive. */
        HTTP_1_1,
        /** Many exchanges on a connection: agreed on by TLS for {@code https}, without asking for {@code http}. */
        HTTP_2
    }

    /** One header that is passed through. */
    public record Header(String name, String value) {
        private static final List<String> OWN = List.of("host", "content-length", "transfer-encoding",
                "connection", "content-encoding", "accept-encoding", "expect", "upgrade");

        public Header {
            if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
                    || !value.chars().allMatch(c -> c == '\t' || c >= 0x20 && c < 0x7f)) {
                throw new IllegalArgumentException(
                        "header '" + name + ": " + value + "'; expected NAME: VALUE in printable ASCII");
            }
            if (OWN.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "header '" + name + "'; the load generator sets this one itself");
            }
        }

        /** The header of a text such as {@code X-Tenant: a}. */
        public static Header parse(String text) {
            int colon = text.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("header '" + text + "'; expected NAME: VALUE");
            }
            return new Header(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
        }
    }

    public Target {
        headers = List.copyOf(headers);
        if (baseUrl.getHost() == null || !List.of("http", "https").contains(baseUrl.getScheme())) {
            throw AssayException
                    .misuse("URL '" + baseUrl + "'; expected http://HOST:PORT or https://HOST:PORT");
        }
        apiKey.ifPresent(key -> checkKey(key, "the API key"));
    }

    /** Checks that a key can stand in a header; a misuse that names where it is from, not the key. */
    public static void checkKey(String key, String where) {
        if (!key.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw AssayException.misuse(where + ": expected printable ASCII without blanks");
        }
    }

    /** What a server said, which may repeat the key, as it may be kept. */
    String withoutKey(String text) {
        return apiKey.map(key -> text.replace(key, "[API key]")).orElse(text);
    }

    /** A target with the defaults: completions, exact lengths, continuous usage, no key. */
    public static Target of(String url, String model) {
        URI base = parse(url);
        return new Target(base, model, Api.COMPLETIONS, Optional.empty(), JsonValue.Obj.of(Map.of()),
                List.of(), true,
                Usage.CONTINUOUS, Transport.known(base), Protocol.HTTP_1_1);
    }

    /** The same target through another interface. */
    public Target withApi(Api other) {
        return new Target(baseUrl, model, other, apiKey, extraBody, headers, ignoreEos, usage, transport,
                protocol);
    }

    /** The same target for another model. */
    public Target withModel(String other) {
        return new Target(baseUrl, other, api, apiKey, extraBody, headers, ignoreEos, usage, transport,
                protocol);
    }

    /** The same target with the bearer token. */
    public Target withApiKey(Optional<String> key) {
        return new Target(baseUrl, model, api, key, extraBody, headers, ignoreEos, usage, transport,
                protocol);
    }

    /** The same target with these fields passed through. */
    public Target withExtraBody(JsonValue.Obj fields) {
        return new Target(baseUrl, model, api, apiKey, fields, headers, ignoreEos, usage, transport,
                protocol);
    }

    /** The same target with these headers passed through. */
    public Target withHeaders(List<Header> values) {
        return new Target(baseUrl, model, api, apiKey, extraBody, values, ignoreEos, usage, transport,
                protocol);
    }

    /** The same target with or without {@code ignore_eos}. */
    public Target withIgnoreEos(boolean value) {
        return new Target(baseUrl, model, api, apiKey, extraBody, headers, value, usage, transport, protocol);
    }

    /** The same target asking for this much usage. */
    public Target withUsage(Usage value) {
        return new Target(baseUrl, model, api, apiKey, extraBody, headers, ignoreEos, value, transport,
                protocol);
    }

    /** The same target by another way. */
    public Target withTransport(Transport way) {
        return new Target(baseUrl, model, api, apiKey, extraBody, headers, ignoreEos, usage, way, protocol);
    }

    /**
     * The same target by this version of HTTP; a misuse where HTTP/2 cannot be: plain over a proxy, or with a header that
     * it forbids.
     */
    public Target withProtocol(Protocol version) {
        if (version == Protocol.HTTP_2) {
            if (!secure() && transport.proxy().isPresent()) {
                throw AssayException.misuse("HTTP/2 to " + baseUrl
                        + " through a proxy; expected https, or the host in no_proxy");
            }
            headers.stream().filter(h -> NOT_IN_HTTP_2.contains(h.name().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .ifPresent(h -> {
                        throw AssayException.misuse("header '" + h.name() + "'; HTTP/2 has no such header");
                    });
        }
        return new Target(baseUrl, model, api, apiKey, extraBody, headers, ignoreEos, usage, transport,
                version);
    }

    /** Whether outputs have exactly the length asked for: TGI has no way to ask for it. */
    public boolean exactLengths() {
        return ignoreEos && api != Api.TGI;
    }

    /** The URL of a text, a trailing slash or {@code /v1} removed; a misuse names what is wrong. */
    public static URI parse(String url) {
        String text = url.strip().replaceAll("/+$", "").replaceAll("/v1$", "");
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("URL '" + url + "'; expected http://HOST:PORT or https://HOST:PORT");
        }
    }

    /** The headers of each request beside those of its body: the API key, unless a header says otherwise, and those given. */
    List<Header> sentHeaders() {
        List<Header> all = new ArrayList<>(headers);
        if (headers.stream().noneMatch(h -> h.name().equalsIgnoreCase("Authorization"))) {
            apiKey.ifPresent(key -> all.addFirst(new Header("Authorization", "Bearer " + key)));
        }
        if (!secure()) {
            transport.proxy().flatMap(ProxyServer::authorization)
                    .ifPresent(user -> all.addFirst(new Header("Proxy-Authorization", user)));
        }
        return all;
    }

    int port() {
        return baseUrl.getPort() >= 0 ? baseUrl.getPort() : secure() ? 443 : 80;
    }

    boolean secure() {
        return "https".equals(baseUrl.getScheme());
    }

    /** What the request line names: the path, or the whole URL where a proxy passes plain HTTP on. */
    String requestTarget() {
        return secure() || transport.proxy().isEmpty()
                ? path()
                : "http://" + baseUrl.getHost() + ":" + port() + path();
    }

    /** The URL's path before {@code /v1}, empty in most cases. */
    String prefix() {
        return Optional.ofNullable(baseUrl.getRawPath()).orElse("");
    }

    String path() {
        return prefix() + api.path;
    }
}
