package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import dev.assay.load.nullserver.NullServer;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Metrics;
import dev.assay.workload.WorkloadSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A short run of the client's own loop against a null server in this process, before the first run that counts: code
 * that the JVM still interprets would put a millisecond on the first requests and, at thousands a second, a backlog.
 */
final class Rehearsal {
    private static final AtomicBoolean DONE = new AtomicBoolean();
    private static final int BURST = 400;
    private static final int STREAMS = 8;
    private static final int PACED = 60;
    private static final double PACED_PER_S = 1000;
    private static final long PACED_ITL_US = 1000;
    private static final int TOKENS = 8;

    private Rehearsal() {}

    /** The first call rehearses, some 0.2 s long; later ones return at once. */
    static void once() {
        if (DONE.getAndSet(true)) {
            return;
        }
        try (NullServer server = new NullServer(0, System::nanoTime)) {
            Thread.ofPlatform().daemon().name("assay-rehearsal").start(server::run);
            run(server.port(), 0, BURST, new Arrivals.ClosedLoop(STREAMS));
            run(server.port(), PACED_ITL_US, PACED, new Arrivals.Poisson(PACED_PER_S));
        } catch (AssayException | IOException e) {
            // A machine without a free port on its loopback can still measure, only less exactly at first.
        }
    }

    private static void run(int port, long itlUs, int count, Arrivals arrivals) throws IOException {
        Target target = Target.of("http://127.0.0.1:" + port, "null")
                .withExtraBody(JsonValue.Obj.of(Map.of("null_itl_us", JsonValue.of(itlUs))));
        LoadOptions options = arrivals.openLoop() ? LoadOptions.openLoop() : LoadOptions.closedLoop(STREAMS);
        try (ClientLoop loop = new ClientLoop(target,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                WorkloadSpec.of(LengthDistribution.parse("16"), LengthDistribution.parse("" + TOKENS))
                        .requests(arrivals, new Extent.Count(count), 1, Calibration.ASSUMED),
                options.withSink(Metrics.accumulator(Map.of())::add))) {
            loop.run();
        }
    }
}
