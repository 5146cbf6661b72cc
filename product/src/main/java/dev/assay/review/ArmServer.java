package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.load.Probe;
import dev.assay.load.ServerCommand;
import dev.assay.load.ServerProcess;
import dev.assay.load.Target;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** An arm's server that answers: one that was started here, or one that is up all the time. */
final class ArmServer implements AutoCloseable {
    private static final double READY_SECONDS = 120;
    private static final long GRACE_NANOS = 10_000_000_000L;

    private final URI base;
    private final Optional<ServerProcess> process;

    private ArmServer(URI base, Optional<ServerProcess> process) {
        this.base = base;
        this.process = process;
    }

    /** Starts the arm's command and waits until it answers, or checks that its URL does. */
    static ArmServer start(Proposal.ArmSpec arm, Path log) {
        if (arm.url().isPresent()) {
            URI base = Target.parse(arm.url().get());
            if (Probe.roundTripNanos(base, Optional.empty()).isEmpty()) {
                throw AssayException.environment(base + ": no answer; expected a running server");
            }
            return new ArmServer(base, Optional.empty());
        }
        double limit = arm.readyTimeoutS().orElse(READY_SECONDS);
        ServerProcess process = new ServerCommand(arm.command().orElseThrow(),
                arm.env().orElse(Map.of()), arm.cwd().map(Path::of)).start(log);
        try {
            process.awaitReady(Schedules.nanos(limit));
        } catch (AssayException e) {
            process.stop(GRACE_NANOS);
            throw e;
        }
        return new ArmServer(process.url(), Optional.of(process));
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
        return process.flatMap(p -> p.tail(1).stream().findFirst()).orElse("");
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
