package dev.assay.engine;

import dev.assay.AssayException;
import dev.assay.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Digests that name what ran: the model file, and the classes that compute with it. */
final class Digests {
    private static final List<String> PACKAGES = List.of("dev/assay/engine/", "dev/assay/scheduler/",
            "dev/assay/model/");

    private Digests() {}

    static String file(Path file) {
        try {
            return Json.sha256(Files.readAllBytes(file));
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The digest of all class files of engine, scheduler and model, in order of their names. */
    static String kernels() {
        try {
            Path source = Path.of(Digests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            if (Files.isDirectory(source)) {
                addDirectory(digest, source);
            } else {
                addJar(digest, source);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException | URISyntaxException e) {
            throw AssayException.environment("the program's own classes cannot be read: " + e.getMessage(),
                    e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static void addDirectory(MessageDigest digest, Path source) throws IOException {
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(source.resolve(name))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
                    digest.update(Files.readAllBytes(file));
                }
            }
        }
    }

    private static void addJar(MessageDigest digest, Path source) throws IOException {
        try (JarFile jar = new JarFile(source.toFile())) {
            for (String name : PACKAGES) {
                List<String> entries = jar.stream().map(JarEntry::getName)
                        .filter(e -> e.startsWith(name) && e.endsWith(".class")).sorted().toList();
                for (String entry : entries) {
                    try (InputStream in = jar.getInputStream(jar.getJarEntry(entry))) {
                        digest.update(in.readAllBytes());
                    }
                }
            }
        }
    }
}
