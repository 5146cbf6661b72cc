package dev.assay.load;

import dev.assay.AssayException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * How bytes get to a server: through which proxy, and whose certificates are believed.
 *
 * @param proxy in between, by the environment's variables
 * @param caCert a file of certificates in PEM that are believed instead of the JDK's
 * @param insecure whether any certificate is believed, for any name
 */
public record Transport(Optional<ProxyServer> proxy, Optional<Path> caCert, boolean insecure) {
    /** What the command line said of a server, for the small requests beside the load. */
    private static final Map<String, Transport> KNOWN = new ConcurrentHashMap<>();
    /** Reading certificates takes a while, and connections are kept alive only under one context. */
    private static final Map<Transport, SSLContext> CONTEXTS = new ConcurrentHashMap<>();

    /** The way to a URL by the environment, with the JDK's certificates. */
    public static Transport to(URI url) {
        return url.getHost() == null
                ? new Transport(Optional.empty(), Optional.empty(), false)
                : to(url, System.getenv());
    }

    static Transport to(URI url, Map<String, String> environment) {
        return new Transport(ProxyServer.of(url, environment), Optional.empty(), false);
    }

    /** The way that {@link #use} set for the URL's server, else the one by the environment. */
    static Transport known(URI url) {
        Transport set = KNOWN.get(url.getScheme() + "://" + url.getAuthority());
        return set == null ? to(url) : set;
    }

    /** Makes this the way to the URL's server for the whole process, so that probes and scrapes go by it too. */
    public void use(URI url) {
        KNOWN.put(url.getScheme() + "://" + url.getAuthority(), this);
    }

    /** The same with other certificates. */
    public Transport withCertificates(Optional<Path> file, boolean any) {
        return new Transport(proxy, file, any);
    }

    /** Makes the JDK's client, where one asks beside the load, go the same way. */
    public void apply(HttpClient.Builder client) {
        if (caCert.isPresent() || insecure) {
            client.sslContext(tls());
        }
        proxy.ifPresent(p -> client.proxy(ProxySelector.of(new InetSocketAddress(p.host(), p.port()))));
    }

    /** A context for TLS that believes what this says; an environment fault where the file cannot be read. */
    SSLContext tls() {
        return CONTEXTS.computeIfAbsent(this, Transport::made);
    }

    private SSLContext made() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, insecure ? new TrustManager[]{new TrustAll()} : trust(), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw AssayException.environment(believed() + ": "
                    + (e instanceof NoSuchFileException ? "no such file" : e.getMessage())
                    + "; expected certificates in PEM", e);
        }
    }

    /** Whose word is taken for a certificate. */
    String believed() {
        return caCert.map(Path::toString).orElse("the JDK's list");
    }

    private TrustManager[] trust() throws GeneralSecurityException, IOException {
        TrustManagerFactory factory = TrustManagerFactory
                .getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (caCert.isEmpty()) {
            factory.init((KeyStore) null);
            return factory.getTrustManagers();
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(caCert.get())) {
            int n = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca" + n++, certificate);
            }
            if (n == 0) {
                throw new IOException("the file holds none");
            }
        }
        factory.init(store);
        return factory.getTrustManagers();
    }
}
