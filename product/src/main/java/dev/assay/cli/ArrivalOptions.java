package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Pause;
import dev.assay.workload.RequestClass;
import dev.assay.workload.WorkloadSpec;
import dev.assay.workload.WorkloadSpec.Content;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * When it is sent: arrivals, turns, pauses and how long it goes on. What a workload file says of arrivals holds where no
 * option says otherwise.
 */
final class ArrivalOptions {
    private static final double NANOS_PER_S = 1e9;
    private static final int REQUESTS = 100;

    @Option(names = {"--rate",
            "--request-rate"}, paramLabel = "R", description = "Requests (or conversations) a second (default 1).")
    private @Nullable Double rate;

    @Option(names = "--arrival", paramLabel = "KIND", description = "poisson, gamma, constant, ramp or trace (default poisson, or what the options imply).")
    private @Nullable String arrival;

    @Option(names = "--burstiness", paramLabel = "B", description = "Gamma arrivals of this shape: 1 is Poisson, less is burstier.")
    private @Nullable Double burstiness;

    @Option(names = "--ramp-to", paramLabel = "R", description = "Let the rate go from --rate to this one over --duration.")
    private @Nullable Double rampTo;

    @Option(names = "--speed", paramLabel = "X", description = "Replay the trace's own times, X times as fast.")
    private @Nullable Double speed;

    @Option(names = "--concurrency", paramLabel = "N", description = "A closed loop with N requests in flight instead.")
    private @Nullable Integer concurrency;

    @Option(names = "--think-time", paramLabel = "DIST", description = "Seconds between an answer and the next turn, or the next request of a closed loop: S or exponential:MEAN (default 0, or the trace's).")
    private @Nullable String thinkTime;

    @Option(names = "--requests", paramLabel = "N", description = "How many requests (default 100; a replay: the whole trace).")
    private @Nullable Integer requests;

    @Option(names = "--duration", paramLabel = "S", description = "For how many seconds requests arrive, instead.")
    private @Nullable Double duration;

    @Option(names = "--turns", paramLabel = "DIST", description = "Turns of each conversation, as lengths are given (default 1; recorded conversations: at most so many).")
    private @Nullable String turns;

    /** The same content in turns and with pauses, where those are given. */
    WorkloadSpec over(WorkloadSpec content) {
        WorkloadSpec spec = turns == null ? content : content.withTurns(LengthDistribution.parse(turns));
        return thinkTime == null ? spec : spec.withThink(Pause.parse(thinkTime));
    }

    /** When it is sent: the options, else what the workload says, else Poisson arrivals at 1/s. */
    Arrivals arrivals(WorkloadSpec spec) {
        if (concurrency != null) {
            if (rate != null || arrival != null || burstiness != null || rampTo != null || speed != null) {
                throw AssayException
                        .misuse("--rate and the other arrivals exclude --concurrency; give one of them");
            }
            int places = concurrency;
            return ContentOptions.misuse("--concurrency", () -> new Arrivals.ClosedLoop(places, pause()));
        }
        Optional<Arrivals> own = spec.arrivals();
        Kind kind = arrival != null ? Kind.of(arrival) : implied(own);
        fits(kind);
        if (thinkTime != null && kind != Kind.CLOSED && spec.content() instanceof Content.Mix mix
                && mix.classes().stream().allMatch(RequestClass::single)) {
            throw AssayException.misuse(
                    "--think-time: expected conversations (--turns) or a closed loop (--concurrency) beside it");
        }
        return ContentOptions.misuse("arrivals", () -> switch (kind) {
            case POISSON -> new Arrivals.Poisson(rate(own));
            case GAMMA -> new Arrivals.Gamma(rate(own), burstiness != null
                    ? burstiness
                    : own.orElse(null) instanceof Arrivals.Gamma g ? g.burstiness() : 1);
            case CONSTANT -> new Arrivals.Constant(rate(own));
            case RAMP -> ramp(own);
            case TRACE -> new Arrivals.Replay(speed != null
                    ? speed
                    : own.orElse(null) instanceof Arrivals.Replay r ? r.speed() : 1);
            case CLOSED -> thinkTime != null && own.orElse(null) instanceof Arrivals.ClosedLoop loop
                    ? new Arrivals.ClosedLoop(loop.concurrency(), pause())
                    : own.orElseThrow();
        });
    }

    private Kind implied(Optional<Arrivals> own) {
        if (rampTo != null) {
            return Kind.RAMP;
        }
        if (burstiness != null) {
            return Kind.GAMMA;
        }
        if (speed != null) {
            return Kind.TRACE;
        }
        Kind stated = own.map(Kind::of).orElse(Kind.POISSON);
        return rate != null && (stated == Kind.CLOSED || stated == Kind.TRACE) ? Kind.POISSON : stated;
    }

    /** An option that the chosen arrivals would ignore is a mistake of the caller. */
    private void fits(Kind kind) {
        if (burstiness != null && kind != Kind.GAMMA || rampTo != null && kind != Kind.RAMP
                || speed != null && kind != Kind.TRACE || rate != null && kind == Kind.TRACE) {
            throw AssayException.misuse("--arrival " + kind.word()
                    + " does not go with all of --rate, --burstiness, --ramp-to and --speed that were given;"
                    + " expected only those of its kind");
        }
    }

    private double rate(Optional<Arrivals> own) {
        if (rate != null) {
            return rate;
        }
        return own.map(a -> switch (a) {
            case Arrivals.Poisson p -> p.ratePerS();
            case Arrivals.Gamma g -> g.ratePerS();
            case Arrivals.Constant c -> c.ratePerS();
            case Arrivals.Ramp r -> r.fromPerS();
            case Arrivals.Pattern p -> p.ratePerS();
            case Arrivals.ClosedLoop _,Arrivals.Replay _ -> 1.0;
        }).orElse(1.0);
    }

    private Arrivals ramp(Optional<Arrivals> own) {
        Arrivals stated = own.orElse(null);
        if (rampTo == null && !(stated instanceof Arrivals.Ramp)
                || duration == null && !(stated instanceof Arrivals.Ramp)) {
            throw AssayException.misuse("--arrival ramp: expected --ramp-to and --duration");
        }
        double to = rampTo != null ? rampTo : stated instanceof Arrivals.Ramp r ? r.toPerS() : 0;
        long nanos = duration != null
                ? nanos(duration)
                : stated instanceof Arrivals.Ramp r ? r.durationNanos() : 0;
        return new Arrivals.Ramp(rate(own), to, nanos);
    }

    private Pause pause() {
        return thinkTime == null ? Pause.none() : Pause.parse(thinkTime);
    }

    /** How long it goes on. */
    Extent extent(Arrivals arrivals) {
        if (requests != null && duration != null) {
            throw AssayException.misuse("--requests and --duration exclude each other; give one");
        }
        if (duration != null) {
            double seconds = duration;
            return ContentOptions.misuse("--duration", () -> new Extent.Lasting(nanos(seconds)));
        }
        if (requests != null) {
            int count = requests;
            return ContentOptions.misuse("--requests", () -> new Extent.Count(count));
        }
        return switch (arrivals) {
            case Arrivals.Ramp _,Arrivals.Replay _ -> new Extent.Count(Integer.MAX_VALUE);
            case Arrivals.Poisson _,Arrivals.Gamma _,Arrivals.Constant _,Arrivals.Pattern _,Arrivals.ClosedLoop _ ->
                new Extent.Count(REQUESTS);
        };
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * NANOS_PER_S);
    }

    private enum Kind {
        POISSON, GAMMA, CONSTANT, RAMP, TRACE, CLOSED;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        static Kind of(Arrivals arrivals) {
            return switch (arrivals) {
                case Arrivals.Poisson _ -> POISSON;
                case Arrivals.Gamma _ -> GAMMA;
                case Arrivals.Constant _ -> CONSTANT;
                case Arrivals.Ramp _ -> RAMP;
                case Arrivals.Replay _,Arrivals.Pattern _ -> TRACE;
                case Arrivals.ClosedLoop _ -> CLOSED;
            };
        }

        static Kind of(String text) {
            for (Kind kind : values()) {
                if (kind != CLOSED && kind.word().equalsIgnoreCase(text)) {
                    return kind;
                }
            }
            throw AssayException.misuse("--arrival is '" + text
                    + "'; expected one of poisson, gamma, constant, ramp, trace");
        }
    }
}
