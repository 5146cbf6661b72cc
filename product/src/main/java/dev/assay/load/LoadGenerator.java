package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.workload.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;

/**
 * Drives a server with a schedule of requests from one thread over non-blocking sockets, and records when each token
 * came back.
 *
 * <p>Requests go out at their scheduled times whatever the server does (open loop), or one for each that ends (closed
 * loop). Nothing outlasts its time limit, and every request ends in an outcome or a failure class.
 */
public final class LoadGenerator {
    private static final int CONNECT_MILLIS = 2000;

    private LoadGenerator() {}

    /**
     * Runs the schedule in the calling thread; interrupting it cancels what is in flight.
     *
     * @param schedule by arrival time; a closed loop takes them in their order and ignores the times
     */
    public static LoadRun run(Target target, Iterable<Request> schedule, LoadOptions options) {
        InetSocketAddress address = resolve(target);
        Rehearsal.once();
        if (target.protocol() == Target.Protocol.HTTP_2) {
            SessionRehearsal.once();
        }
        try (ClientLoop loop = new ClientLoop(target, address, schedule, options)) {
            return loop.run();
        } catch (IOException e) {
            throw AssayException.environment("the load generator's sockets failed: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw AssayException.environment("the load generator's sockets failed: " + e.getMessage(), e);
        }
    }

    /** The first of the host's addresses that takes a connection, else its first: localhost may be ::1 or 127.0.0.1. */
    static InetSocketAddress resolve(Target target) {
        String host = target.transport().proxy().map(ProxyServer::host).orElse(target.baseUrl().getHost());
        int port = target.transport().proxy().map(ProxyServer::port).orElse(target.port());
        try {
            InetAddress[] all = InetAddress.getAllByName(host);
            for (InetAddress one : all.length == 1 ? new InetAddress[0] : all) {
                InetSocketAddress address = new InetSocketAddress(one, port);
                try (Socket socket = new Socket()) {
                    socket.connect(address, CONNECT_MILLIS);
                    return address;
                } catch (IOException e) {
                    // The next address of the same name may answer; where none does, the first reports the fault.
                }
            }
            return new InetSocketAddress(all[0], port);
        } catch (UnknownHostException e) {
            throw AssayException.environment("host '" + host + "' is not known to this machine");
        }
    }
}
