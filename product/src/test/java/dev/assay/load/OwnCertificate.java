package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key made on the spot, signed by itself.
 *
 * @param file its certificate in PEM
 * @param server what a server with this key speaks TLS by
 */
public record OwnCertificate(Path file, SSLContext server) {
    /** Makes one in a directory that holds none, for names such as {@code ip:127.0.0.1,dns:far.test}. */
    public static OwnCertificate make(Path directory, String names)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve("key.p12");
        Path file = directory.resolve("cert.pem");
        keytool("-genkeypair", "-keystore", store.toString(), "-keyalg", "EC", "-dname", "CN=localhost",
                "-ext",
                "san=" + names, "-validity", "2");
        KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
        Files.writeString(file, "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getCertificate("k").getEncoded())
                + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "secret".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return new OwnCertificate(file, context);
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", "secret", "-alias", "k"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
