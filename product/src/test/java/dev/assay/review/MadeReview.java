package dev.assay.review;

import dev.assay.forecast.Calibration;
import dev.assay.forecast.EngineSettings;
import dev.assay.forecast.Forecast;
import dev.assay.forecast.Limiter;
import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.PointForecast;
import dev.assay.forecast.Quantity;
import dev.assay.forecast.StepConstants;
import dev.assay.forecast.WidthCorrection;
import dev.assay.json.Json;
import dev.assay.model.ModelShape;
import dev.assay.forecast.arith.QuantFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A review of a batch cap made without a server: its journal, seal, verdicts and decision are real, its figures are
 * chosen. At every load point the candidate does {@code observed} times the baseline's goodput and throughput in 1/{@code
 * observed} of its latency, and {@code forecast} was forecast of it, within a factor of {@code spread} either way.
 */
public final class MadeReview {
    private static final int BLOCKS = 2;
    /** The forecast of each arm's level is this much too high. */
    private static final double LEVEL_OFF = 1.05;
    private static final LimiterForecast IDLE = new LimiterForecast(Limiter.ARRIVALS, .5, Limiter.LAUNCH, .4);
    private static final LimiterForecast FULL = new LimiterForecast(Limiter.BATCH_SLOTS, .5, Limiter.LAUNCH,
            .4);

    private final ReviewFiles files;
    private final Instant start;
    private int ticks;

    private MadeReview(Path directory, Instant start) {
        this.start = start;
        this.files = Starting.create(directory, Template.of(Proposal.ChangeKind.BATCH_CAP)
                .arms("made --port {port} --max-num-seqs 8", "made --port {port} --max-num-seqs 32")
                .settings(8, 32, 256, 16, "f32", "f32").set("slot_s", "1")
                .set("blocks", String.valueOf(BLOCKS)).render(), "made",
                "made-" + directory.getFileName(), Map.of("cpu", "none"), clock());
    }

    /** A draft. */
    public static MadeReview draft(Path directory, Instant start) {
        return new MadeReview(directory, start);
    }

    /** One that was sealed, measured and decided within an hour from {@code start}. */
    public static ReviewFiles decided(Path directory, Instant start, double forecast, double spread,
            double observed) {
        MadeReview review = draft(directory, start).sealed(forecast, spread, Optional.empty())
                .measured(observed, 0);
        review.concluded();
        Deciding.decide(review.files, new Deciding.Request(Decision.Choice.HOLD, "", List.of("made up"), "",
                List.of(), false), review.clock());
        return review.files;
    }

    public ReviewFiles files() {
        return files;
    }

    /** Predicts and seals. */
    public MadeReview sealed(double ratio, double spread, Optional<WidthCorrection> width) {
        Proposal proposal = files.proposal();
        Forecast forecast = new Forecast(.9,
                proposal.loadPoints().stream().map(p -> point(p, ratio, spread)).toList(),
                List.of(), List.of());
        EngineSettings eight = new EngineSettings(8, 256, 16, Optional.empty(), QuantFormat.F32,
                QuantFormat.F32);
        Calibration calibration = new Calibration(eight,
                new StepConstants(4e5, 2.6e6, 1e-3, 1e-3, 1e-4, false),
                Map.of(), List.of(), List.of(), 1e6, 1e5, .04, List.of(), Map.of(), Map.of(),
                new Calibration.Lengths(0, 1), new Calibration.Region(8, 2, 12, 256, 384), 4100, "made up",
                List.of());
        files.writePrediction(new Prediction(
                new ModelShape(6, 384, 6, 2, 64, 1024, 8192, 2048, 10000, 1e-5, true),
                new dev.assay.workload.Calibration(1.4, 0), calibration, forecast,
                Claims.of(proposal, forecast, Set.of()), Premises.of(proposal), width));
        try (Journal journal = Journal.open(files.directory(), clock())) {
            journal.append(new Event.Predicted(Json.digest(proposal), Json.digest(files.prediction())));
        }
        Sealing.seal(files, clock());
        return this;
    }

    private static PointForecast point(double load, double ratio, double spread) {
        double base = 10 * LEVEL_OFF;
        return new PointForecast(load,
                Map.of("goodput_rps", around(base, 1.2), "tpot_p50_ms", around(1 / base, 1.2), "ttft_p50_ms",
                        around(1 / base, 1.6)),
                Map.of("goodput_rps", around(base * ratio, 1.2), "tpot_p50_ms", around(1 / base / ratio, 1.2),
                        "ttft_p50_ms", around(1 / base / ratio, 1.6)),
                Map.of("goodput_rps", around(ratio, spread), "tpot_p50_ms", around(1 / ratio, spread),
                        "ttft_p50_ms",
                        around(1 / ratio, spread)),
                IDLE, load > 5 ? FULL : IDLE, Map.of());
    }

    private static Quantity around(double value, double factor) {
        return new Quantity(value, value / factor, value * factor);
    }

    /** Measures every slot; {@code preemptions} above 0 break a premise. */
    public MadeReview measured(double observed, double preemptions) {
        try (Journal journal = Journal.open(files.directory(), clock())) {
            List<Double> loads = files.proposal().loadPoints();
            for (SlotKey key : Plan.draw(BLOCKS, loads.size(), files.proposal().measure().seed())
                    .slots(false)) {
                double wobble = Math.exp(key.block() % 2 == 0 ? .004 : -.004);
                double value = 10 * (key.arm() == Arm.CANDIDATE ? observed * wobble : 1);
                SlotResult made = Fixtures.slot(key.block(), key.session(), key.arm(), key.point(), value);
                journal.append(new Event.SlotFinished(key, loads.get(key.point()), List.of(), made.summary(),
                        Map.of("preemptions", preemptions, "engine_busy_share", .5, "decode_rows_per_step",
                                2.0,
                                "tokens_per_step", 3.0, "steps", 100.0)));
            }
        }
        return this;
    }

    /** Computes the verdicts. */
    public MadeReview concluded() {
        Measuring.conclude(files, clock());
        return this;
    }

    private InstantSource clock() {
        return () -> start.plus(Duration.ofSeconds(ticks++));
    }
}
