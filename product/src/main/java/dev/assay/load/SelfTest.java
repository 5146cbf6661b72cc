package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Metrics;
import dev.assay.workload.MetricsAccumulator;
import dev.assay.workload.Percentiles;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary.Spread;
import dev.assay.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What the load generator reaches and errs on this machine, measured against a null server: see
 * {@link dev.assay.load.nullserver.NullServer}.
 *
 * <p>Client and server share the machine, so the throughputs are those of both together; the CPU time an event and a
 * request is the client's own, all its threads and its start-up within the phase included.
 */
public final class SelfTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int LOOP = 32;
    private static final int[] PACED_STREAMS = {200, 1000, 2000, 4000, 8000};
    private static final long PACED_ITL_US = 10_000;
    private static final int PACED_TOKENS = 100;
    /** More streams are worth trying only while the rate still grows. */
    private static final double GROWTH = 1.05;
    private static final int STREAMS = 10_000;
    /** A test shorter than this a phase is a rehearsal: fewer numbers of streams, and a tenth of the most. */
    private static final double REHEARSAL_SECONDS = 1;
    private static final int REHEARSAL_PACED = 2;
    private static final double OPEN_RATE = 40;
    private static final int OPEN_TOKENS = 64;

    private final Target server;
    private final double seconds;
    private final LongSupplier processCpuNanos;
    private final Consumer<String> tell;
    private final Consumer<List<RequestOutcome>> keep;

    /**
     * @param server a null server that just started
     * @param seconds length of each phase
     * @param processCpuNanos CPU time of this process so far
     * @param tell takes a line about each phase as it begins
     * @param keep takes the requests whose times are held against the server's
     */
    public SelfTest(Target server, double seconds, LongSupplier processCpuNanos, Consumer<String> tell,
            Consumer<List<RequestOutcome>> keep) {
        this.server = server.withApi(Target.Api.CHAT);
        this.seconds = seconds;
        this.processCpuNanos = processCpuNanos;
        this.tell = tell;
        this.keep = keep;
    }

    /**
     * One throughput and its cost.
     *
     * @param streams requests in flight
     * @param cpuUsPerEvent CPU time of the client over token events, microseconds
     * @param cpuUsPerRequest the same over requests
     * @param busyShare share of the phase that the client's thread worked
     */
    public record Rate(int streams, double requestsPerS, double eventsPerS, double cpuUsPerEvent,
            double cpuUsPerRequest, double busyShare) {}

    /**
     * How true the times are, in milliseconds.
     *
     * @param ttft of the client, from the sent time
     * @param serverTtft the server's own
     * @param ttftError client − server, request by request
     * @param itlError client − server, gap by gap
     * @param sendLag sent − scheduled
     */
    public record Accuracy(int requests, Spread ttft, Spread serverTtft, Spread ttftError, Spread itlError,
            Spread sendLag) {}

    /**
     * The whole test.
     *
     * @param requests closed loop, one token each
     * @param coalesced closed loop, events without a pause: one read carries many
     * @param paced events that arrive one by one, by number of streams
     * @param streams most requests in flight at once
     * @param streamsAsked as many were sent at once
     * @param streamsLimit why not all of them were in flight, empty where they were
     * @param lagAtHalf schedule lag in milliseconds of an open loop at half of {@code requests}
     * @param accuracy Poisson arrivals, 50 ms to the first token, 10 ms between tokens
     */
    public record Result(Rate requests, Rate coalesced, List<Rate> paced, int streams, int streamsAsked,
            String streamsLimit, Spread lagAtHalf, Accuracy accuracy) {
        /** The limits that later runs are held against. */
        public Ceiling ceiling(String measured, String machine) {
            return new Ceiling(requests.requestsPerS(),
                    paced.stream().mapToDouble(Rate::eventsPerS).max().orElse(coalesced.eventsPerS()),
                    streams, measured, machine);
        }
    }

    /** Runs all phases, some eight times {@code seconds}. */
    public Result run() {
        tell.accept("warm-up of the null server");
        closed(LOOP, OPEN_TOKENS, PACED_ITL_US / 10);
        tell.accept("accuracy");
        Accuracy accuracy = accuracy();
        tell.accept("requests");
        Rate requests = closed(LOOP, 1, 0);
        // Before the phases that leave the server thousands of connections to close.
        tell.accept("schedule lag at half of the requests/s");
        Spread lag = lag(requests.requestsPerS() / 2);
        tell.accept("events, coalesced");
        Rate coalesced = closed(LOOP, 256, 0);
        List<Rate> paced = paced();
        tell.accept("streams");
        int asked = rehearsal() ? STREAMS / 10 : STREAMS;
        Totals open = new Totals();
        int streams = streams(asked, open);
        return new Result(requests, coalesced, paced, streams, asked,
                open.failed.map(RequestOutcome::detail).orElse(""),
                lag, accuracy);
    }

    private boolean rehearsal() {
        return seconds < REHEARSAL_SECONDS;
    }

    private List<Rate> paced() {
        List<Rate> all = new ArrayList<>();
        double best = 0;
        int most = rehearsal() ? REHEARSAL_PACED : PACED_STREAMS.length;
        for (int streams : Arrays.copyOf(PACED_STREAMS, most)) {
            tell.accept("events one by one, " + streams + " streams");
            Rate rate = closed(streams, PACED_TOKENS, PACED_ITL_US);
            all.add(rate);
            if (rate.eventsPerS() < best * GROWTH) {
                break;
            }
            best = Math.max(best, rate.eventsPerS());
        }
        return List.copyOf(all);
    }

    private Rate closed(int streams, int tokens, long itlUs) {
        Totals totals = new Totals();
        long cpu = processCpuNanos.getAsLong();
        LoadRun run = LoadGenerator.run(paced(0, itlUs, false),
                requests(tokens, new Arrivals.ClosedLoop(streams), new Extent.Lasting(SECOND)),
                LoadOptions.closedLoop(streams).withStopSending(nanos(seconds)).withSink(totals));
        double used = (processCpuNanos.getAsLong() - cpu) / 1e3;
        double length = run.windowNanos() / 1e9;
        totals.checkNoneFailed();
        return new Rate(streams, totals.requests / length, totals.events / length, used / totals.events,
                used / totals.requests, run.client().busyShare());
    }

    private int streams(int asked, Totals totals) {
        double spread = Math.max(1, seconds);
        long wait = Math.round((spread + 1) * 1e6);
        LoadRun run = LoadGenerator.run(paced(wait, 100_000, false), requests(5,
                new Arrivals.Constant(asked / spread), new Extent.Count(asked)),
                LoadOptions.openLoop().withSink(totals));
        return run.client().peakInFlight();
    }

    /** As a run does it that leaves nothing but figures behind: outcomes that pile up would be the collector's work. */
    private Spread lag(double rate) {
        MetricsAccumulator metrics = Metrics.accumulator(Map.of());
        LoadRun run = LoadGenerator.run(paced(0, 0, false), requests(1, new Arrivals.Poisson(rate),
                new Extent.Lasting(nanos(seconds))), LoadOptions.openLoop().withSink(metrics::add));
        return metrics.summary(run.windowNanos(), List.of()).scheduleLagMs().orElseThrow(SelfTest::noAnswer);
    }

    private static AssayException noAnswer() {
        return AssayException.environment("the self-test's requests gave no answer");
    }

    private Accuracy accuracy() {
        LoadRun run = LoadGenerator.run(paced(50_000, 10_000, true), requests(OPEN_TOKENS,
                new Arrivals.Poisson(OPEN_RATE), new Extent.Lasting(nanos(2 * seconds))),
                LoadOptions.openLoop());
        keep.accept(run.outcomes());
        Map<Integer, long[]> truth = NullTruth.fetch(server.baseUrl());
        return NullTruth.compare(run.outcomes(), truth);
    }

    private Iterable<Request> requests(int tokens, Arrivals arrivals, Extent extent) {
        return WorkloadSpec.of(LengthDistribution.parse("16"), LengthDistribution.parse("" + tokens))
                .requests(arrivals, extent, 1, Calibration.ASSUMED);
    }

    private Target paced(long ttftUs, long itlUs, boolean truth) {
        return server
                .withExtraBody(JsonValue.Obj.of(Map.of("null_ttft_us", JsonValue.of(ttftUs), "null_itl_us",
                        JsonValue.of(itlUs), "null_truth", JsonValue.of(truth))));
    }

    private static long nanos(double s) {
        return Math.round(s * SECOND);
    }

    static Spread spread(double[] sample) {
        return Percentiles.spread(sample).orElseThrow(SelfTest::noAnswer);
    }

    /** Counts outcomes without keeping them. */
    private static final class Totals implements Consumer<RequestOutcome> {
        private long requests;
        private long events;
        private Optional<RequestOutcome> failed = Optional.empty();

        @Override
        public void accept(RequestOutcome outcome) {
            requests++;
            events += outcome.contentNanos().length;
            if (!outcome.completed() && failed.isEmpty()) {
                failed = Optional.of(outcome);
            }
        }

        void checkNoneFailed() {
            failed.ifPresent(o -> {
                throw AssayException.environment("the self-test lost a request: " + o.detail());
            });
        }
    }
}
