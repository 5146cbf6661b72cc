package dev.assay.load;

import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** Makes the wire of each connection to one target. */
final class Wires {
    private final Target target;
    private final Optional<SSLContext> tls;

    Wires(Target target) {
        this.target = target;
        tls = target.secure() ? Optional.of(target.transport().tls()) : Optional.empty();
    }

    /** A wire for a new connection. */
    Wire next() {
        if (tls.isEmpty()) {
            return Wire.PLAIN;
        }
        Wire secure = new TlsWire(engine(tls.get()));
        String authority = target.baseUrl().getHost() + ":" + target.port();
        return target.transport().proxy().<Wire>map(proxy -> new TunnelWire(authority, proxy, secure))
                .orElse(secure);
    }

    private SSLEngine engine(SSLContext context) {
        String host = target.baseUrl().getHost().replaceAll("^\\[|\\]$", "");
        SSLEngine engine = context.createSSLEngine(host, target.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (!target.transport().insecure()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
