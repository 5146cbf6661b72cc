package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.load.Probe;
import dev.assay.load.ServerCommand;
import dev.assay.load.ServerProcess;
import dev.assay.load.Target;
import dev.assay.load.Transport;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** An arm's server that answers: one that was started here, or one that is up all the time. */
final class ArmServer implements AutoCloseable {
    private static final double READY_SECONDS = 120;
    private static final long GRACE_NANOS = 10_000_000_000L;

    private final Proposal.ArmSpec arm;
    private final URI base;
    private final Transport way;
    private final Optional<String> apiKey;
    private final Optional<ServerProcess> process;

    private ArmServer(Proposal.ArmSpec arm, URI base, Optional<String> apiKey,
            Optional<ServerProcess> process) {
        this.arm = arm;
        this.base = base;
        this.way = Transport.to(base).withCertificates(arm.cacert().map(Path::of),
                arm.insecure().orElse(false));
        this.apiKey = apiKey;
        this.process = process;
    }

    /** Starts the arm's command and waits until it answers, or checks that its URL does. */
    static ArmServer start(Proposal.ArmSpec arm, Path log) {
        if (arm.url().isPresent()) {
            ArmServer server = new ArmServer(arm, Target.parse(arm.url().get()), key(arm), Optional.empty());
            server.way.use(server.base);
            server.admit();
            return server;
        }
        Optional<String> key = key(arm);
        double limit = arm.readyTimeoutS().orElse(READY_SECONDS);
        ServerProcess process = new ServerCommand(arm.command().orElseThrow(),
                arm.env().orElse(Map.of()), arm.cwd().map(Path::of)).start(log);
        try {
            process.awaitReady(Schedules.nanos(limit));
        } catch (AssayException e) {
            process.stop(GRACE_NANOS);
            throw e;
        }
        return new ArmServer(arm, process.url(), key, Optional.of(process));
    }

    /** Checks that the server answers, and that it takes the key: without one no request would complete. */
    private void admit() {
        int unauthorized = 401;
        if (Probe.status(base, apiKey) == unauthorized && arm.headers().isEmpty()) {
            throw AssayException.environment(base + "/v1/models: HTTP 401; expected "
                    + arm.apiKeyEnv().map(name -> "the server's API key in the variable " + name)
                            .orElse("field 'api_key_env' in the arm, with the variable that holds the API key"));
        }
    }

    private static Optional<String> key(Proposal.ArmSpec arm) {
        Optional<String> key = arm.apiKeyEnv().map(name -> secret(name).orElseThrow(() -> AssayException
                .misuse("the variable " + name + ", which field 'api_key_env' names, is not set;"
                        + " expected the server's API key")));
        key.ifPresent(k -> Target.checkKey(k, "the variable " + arm.apiKeyEnv().orElseThrow()
                + ", which field 'api_key_env' names"));
        return key;
    }

    /** How the load is sent: by the arm's own way, version of HTTP, headers and key. */
    Target target(String model) {
        return Target.of(base.toString(), model).withTransport(way).withApiKey(apiKey)
                .withHeaders(arm.sentHeaders())
                .withProtocol(arm.overHttp2() ? Target.Protocol.HTTP_2 : Target.Protocol.HTTP_1_1);
    }

    Transport way() {
        return way;
    }

    Optional<String> apiKey() {
        return apiKey;
    }

    URI base() {
        return base;
    }

    /** Whether a process that was started here still runs; one that is elsewhere is taken to. */
    boolean alive() {
        return process.map(ServerProcess::alive).orElse(true);
    }

    /** The last line that the server wrote, for messages. */
    String lastWords() {
        return process.flatMap(p -> p.tail(1).stream().findFirst()).map(line -> withoutKey(arm, line))
                .orElse("");
    }

    /** Words of a server, which may print its key, as they may stand in a file of the review. */
    static String withoutKey(Proposal.ArmSpec arm, String text) {
        return arm.apiKeyEnv()
                .flatMap(name -> secret(name).map(key -> text.replace(key, "$" + name))).orElse(text);
    }

    private static Optional<String> secret(String variable) {
        return Optional.ofNullable(System.getenv(variable)).map(String::strip).filter(key -> !key.isEmpty());
    }

    /** The largest resident memory seen so far of all its processes. */
    OptionalLong peakMemoryBytes() {
        process.ifPresent(ServerProcess::residentBytes);
        return process.map(ServerProcess::peakResidentBytes).orElse(OptionalLong.empty());
    }

    @Override
    public void close() {
        process.ifPresent(p -> p.stop(GRACE_NANOS));
    }
}
