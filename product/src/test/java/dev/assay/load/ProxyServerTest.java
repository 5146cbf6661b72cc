package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proxy variables as curl and Go's net/http read them. */
class ProxyServerTest {
    private static Optional<ProxyServer> of(String url, String... variables) {
        return variables.length == 2
                ? ProxyServer.of(URI.create(url), Map.of(variables[0], variables[1]))
                : ProxyServer.of(URI.create(url),
                        Map.of(variables[0], variables[1], variables[2], variables[3]));
    }

    @Test
    void theSchemeNamesTheVariableAndLowerCaseWins() {
        assertThat(of("http://a.test", "http_proxy", "http://p:3128"))
                .contains(new ProxyServer("p", 3128, Optional.empty()));
        assertThat(of("https://a.test", "http_proxy", "http://p:3128")).isEmpty();
        assertThat(of("https://a.test", "HTTPS_PROXY", "q"))
                .contains(new ProxyServer("q", 80, Optional.empty()));
        assertThat(of("http://a.test", "http_proxy", "low:1", "HTTP_PROXY", "up:1").orElseThrow().host())
                .isEqualTo("low");
        assertThat(of("http://a.test", "ALL_PROXY", "http://p:1")).isPresent();
        assertThat(of("http://a.test", "http_proxy", "http://me:a%3Ab@p:1").orElseThrow().authorization())
                .contains("Basic bWU6YTpi");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a.test|true", "b.a.test|true", "aa.test|false", "c.test|false",
            "sub.dot.test|true", "star.test|true", "10.0.0.7|true", "ported.test:9|true",
            "ported.test:8|false"})
    void noProxyNamesHosts(String authority, boolean exempt) {
        assertThat(of("http://" + authority, "http_proxy", "p:1", "NO_PROXY",
                "a.test, .dot.test,*.star.test,star.test 10.0.0.7,ported.test:9").isEmpty())
                .isEqualTo(exempt);
    }

    @ParameterizedTest
    @CsvSource({"localhost", "127.0.0.1", "127.9.9.9", "[::1]"})
    void theLoopbackIsNeverProxied(String host) {
        assertThat(of("http://" + host + ":8000", "http_proxy", "p:1")).isEmpty();
    }

    @Test
    void aStarExemptsAllAndNonsenseIsAMisuse() {
        assertThat(of("http://a.test", "http_proxy", "p:1", "no_proxy", "*")).isEmpty();
        for (String bad : new String[]{"socks5://p:1", "http://", "a b"}) {
            assertThatThrownBy(() -> of("http://a.test", "http_proxy", bad))
                    .hasMessageContaining("http_proxy");
        }
    }
}
