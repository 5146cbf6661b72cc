package dev.assay.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;

/** Small blocking GETs: readiness, model list, metrics. Nothing that is timed as load goes through here. */
final class Http {
    private static final int BODY_LIMIT = 32 << 20;

    private Http() {}

    /** A response with its status and text. */
    record Reply(int status, String body) {}

    /** The reply, empty where none came within the limit. */
    static Optional<Reply> get(URI base, String path, Optional<String> apiKey, int millis) {
        try {
            return Optional.of(ask(base, path, apiKey, millis));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The reply; a fault where none came within the limit. */
    static Reply ask(URI base, String path, Optional<String> apiKey, int millis) throws IOException {
        HttpURLConnection connection = null;
        try {
            Transport way = Transport.known(base);
            connection = (HttpURLConnection) URI.create(base + path).toURL().openConnection(way.proxy()
                    .map(p -> new Proxy(Proxy.Type.HTTP, new InetSocketAddress(p.host(), p.port())))
                    .orElse(Proxy.NO_PROXY));
            if (connection instanceof HttpsURLConnection secure) {
                secure.setSSLSocketFactory(way.tls().getSocketFactory());
                if (way.insecure()) {
                    secure.setHostnameVerifier((_, _) -> true);
                }
            }
            Optional<String> user = way.proxy().flatMap(ProxyServer::authorization);
            if (user.isPresent()) {
                connection.setRequestProperty("Proxy-Authorization", user.get());
            }
            connection.setConnectTimeout(millis);
            connection.setReadTimeout(millis);
            connection.setInstanceFollowRedirects(false);
            if (apiKey.isPresent()) {
                connection.setRequestProperty("Authorization", "Bearer " + apiKey.get());
            }
            int status = connection.getResponseCode();
            try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                return new Reply(status,
                        in == null ? "" : new String(in.readNBytes(BODY_LIMIT), StandardCharsets.UTF_8));
            }
        } finally {
            if (connection != null) {
                connection.disconnect();
            }
        }
    }
}
