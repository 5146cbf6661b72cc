package dev.assay.load;

import dev.assay.AssayException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The HTTP proxy between this machine and a server, by the standard variables: {@code http_proxy} or
 * {@code https_proxy}, else {@code all_proxy}, unless {@code no_proxy} names the server. The loopback is never proxied.
 *
 * @param authorization the value of {@code Proxy-Authorization}, where the variable holds a user
 */
record ProxyServer(String host, int port, Optional<String> authorization) {
    private static final int DEFAULT_PORT = 80;

    /** The proxy for a URL; a misuse where the variable cannot be read. */
    static Optional<ProxyServer> of(URI url, Map<String, String> environment) {
        String host = bare(url.getHost());
        if (isLoopback(host) || exempt(host, url.getPort(), value("no_proxy", environment))) {
            return Optional.empty();
        }
        String name = "https".equals(url.getScheme()) ? "https_proxy" : "http_proxy";
        String text = value(name, environment);
        return text.isEmpty() ? parsed("all_proxy", value("all_proxy", environment)) : parsed(name, text);
    }

    /** The variable in lower case, else in upper case, else empty text. */
    private static String value(String name, Map<String, String> environment) {
        String lower = environment.getOrDefault(name, "");
        return (lower.isEmpty() ? environment.getOrDefault(name.toUpperCase(Locale.ROOT), "") : lower)
                .strip();
    }

    private static Optional<ProxyServer> parsed(String name, String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = URI.create(text.contains("://") ? text : "http://" + text);
            if (uri.getHost() == null || !"http".equals(uri.getScheme())) {
                throw new IllegalArgumentException("no http URL");
            }
            // A user's name and password may hold anything in percent escapes; URI decodes them.
            Optional<String> user = Optional.ofNullable(uri.getUserInfo())
                    .map(info -> "Basic " + Base64.getEncoder()
                            .encodeToString((info.contains(":") ? info : info + ":")
                                    .getBytes(StandardCharsets.UTF_8)));
            return Optional.of(
                    new ProxyServer(bare(uri.getHost()), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                            user));
        } catch (IllegalArgumentException e) {
            throw AssayException
                    .misuse("the variable " + name + "; expected http://[USER:PASSWORD@]HOST:PORT");
        }
    }

    private static boolean exempt(String host, int port, String list) {
        for (String item : List.of(list.split("[,\\s]+"))) {
            String entry = item.toLowerCase(Locale.ROOT);
            int colon = entry.lastIndexOf(':');
            if (colon > 0 && entry.indexOf(':') == colon) {
                if (!entry.substring(colon + 1).equals(Integer.toString(port))) {
                    continue;
                }
                entry = entry.substring(0, colon);
            }
            String name = bare(entry.replaceAll("^\\*?\\.", ""));
            if (entry.equals("*") || !name.isEmpty() && (host.equals(name) || host.endsWith("." + name))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.endsWith(".localhost") || host.startsWith("127.")
                || host.equals("::1") || host.equals("0:0:0:0:0:0:0:1");
    }

    private static String bare(String host) {
        return host.toLowerCase(Locale.ROOT).replaceAll("^\\[|\\]$", "");
    }
}
