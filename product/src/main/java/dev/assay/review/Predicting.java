package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.forecast.Blindness;
import dev.assay.forecast.Calibration;
import dev.assay.forecast.CalibrationRun;
import dev.assay.forecast.Calibrator;
import dev.assay.forecast.Forecast;
import dev.assay.forecast.ForecastRequest;
import dev.assay.forecast.Forecaster;
import dev.assay.forecast.WidthCorrection;
import dev.assay.json.Json;
import dev.assay.load.Probe;
import dev.assay.load.RequestLog;
import dev.assay.model.Gguf;
import dev.assay.model.ModelShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Forecasts a change before it is measured: the operating curve of the baseline arm alone calibrates the model, which
 * then predicts both arms at every load point.
 */
public final class Predicting {
    /** Calibration slots draw from streams of their own, far from those of the blocks. */
    private static final int CALIBRATION_BLOCK = 1_000_000;
    private static final int WARMUP_BLOCK = 2_000_000;

    private final ReviewFiles files;
    private final Proposal proposal;
    private final Journal journal;
    private final Progress progress;
    private final InstantSource clock;
    private final Optional<WidthCorrection> width;
    /** Calibration slots that no machine of the stated bandwidth could have given. */
    private final List<String> faults = new ArrayList<>();

    private Predicting(ReviewFiles files, Proposal proposal, Journal journal, Progress progress,
            InstantSource clock, Optional<WidthCorrection> width) {
        this.files = files;
        this.proposal = proposal;
        this.journal = journal;
        this.progress = progress;
        this.clock = clock;
        this.width = width;
    }

    /** Seconds that the calibration takes, roughly: what is said before it starts. */
    public static double estimateSeconds(Proposal proposal) {
        return proposal.measure().calibrationSessions() * sessionSeconds(proposal);
    }

    /** Seconds of one session: start, warm-up, and every load point with what drains after it. */
    static double sessionSeconds(Proposal proposal) {
        double start = proposal.arms().resident() ? 0.2 : 2;
        return start + proposal.measure().warmupS()
                + proposal.loadPoints().size() * (proposal.measure().slotS() * 1.1 + 0.5);
    }

    /**
     * Measures the baseline, forecasts, and writes {@code prediction.json}; finds the load points first and writes them
     * into the proposal, where it asks for that.
     *
     * @param roots directories in which the file that gives the model's shape is looked for
     * @param width by how much past reviews of this kind of change make the intervals wider
     */
    public static Prediction predict(ReviewFiles files, InstantSource clock, List<Path> roots,
            Optional<WidthCorrection> width, Progress progress) {
        Proposal draft = files.draft();
        Blindness.check(draft.arms().baseline().settings(), draft.arms().candidate().settings(),
                draft.local(), CommandKnobs.differing(draft.arms()));
        try (Journal journal = Journal.open(files.directory(), clock)) {
            if (State.of(journal.entries()).seal().isPresent()) {
                throw AssayException
                        .misuse("already sealed; a new prediction needs a new review ('assay new')");
            }
            ModelShape shape = shape(draft, roots);
            if (files.seeksLoadPoints()) {
                LoadFinding.find(files, journal, clock, progress);
            }
            return new Predicting(files, files.proposal(), journal, progress, clock, width).run(shape);
        } finally {
            progress.end();
        }
    }

    private Prediction run(ModelShape shape) {
        progress.step(
                String.format(Locale.ROOT, "calibrating on the baseline alone: %d session%s, about %.0f s",
                        proposal.measure().calibrationSessions(),
                        proposal.measure().calibrationSessions() == 1 ? "" : "s",
                        estimateSeconds(proposal)));
        List<CalibrationRun> runs = new ArrayList<>();
        Optional<dev.assay.workload.Calibration> sizing = Optional.empty();
        for (int session = 0; session < proposal.measure().calibrationSessions(); session++) {
            sizing = Optional.of(session(session, sizing, runs, shape));
        }
        progress.step("forecasting both arms at " + proposal.loadPoints().size() + " load points");
        Prediction prediction = forecast(shape, sizing.orElseThrow(), runs);
        files.writePrediction(prediction);
        // Read back, so that the digest is over what a reader of the file gets.
        Prediction written = files.prediction();
        journal.append(new Event.Predicted(Json.digest(proposal), Json.digest(written)));
        return written;
    }

    private static ModelShape shape(Path file) {
        try (Gguf gguf = Gguf.open(file)) {
            return gguf.shape();
        }
    }

    private static ModelShape shape(Proposal proposal, List<Path> roots) {
        String name = proposal.model().shapeFrom();
        return roots.stream().map(root -> root.resolve(name)).filter(Files::isRegularFile).findFirst()
                .map(Predicting::shape)
                .orElseThrow(() -> AssayException
                        .misuse(ReviewFiles.PROPOSAL + ": field 'model.shape_from': no file "
                                + name + " here, beside the proposal or where Assay is installed"));
    }

    private dev.assay.workload.Calibration session(int session,
            Optional<dev.assay.workload.Calibration> known,
            List<CalibrationRun> runs, ModelShape shape) {
        long start = clock.millis();
        try (ArmServer server = ArmServer.start(proposal.arms().baseline(),
                files.evidence().scratch("calibration-log"))) {
            dev.assay.workload.Calibration sizing = known.orElseGet(
                    () -> Probe.calibrate(SlotRunner.target(proposal, server))
                            .orElse(dev.assay.workload.Calibration.ASSUMED));
            SlotRunner runner = new SlotRunner(proposal, files.evidence(), sizing);
            runner.warm(server, Plan.slotSeed(proposal.measure().seed(), WARMUP_BLOCK + session, 0),
                    proposal.measure().warmupS()).filter(w -> !w.warm())
                    .ifPresent(w -> progress.step("calibration: " + w.detail()));
            for (int point = 0; point < proposal.loadPoints().size(); point++) {
                int done = session * proposal.loadPoints().size() + point;
                int all = proposal.measure().calibrationSessions() * proposal.loadPoints().size();
                double rate = proposal.loadPoints().get(point);
                progress.at(
                        String.format(Locale.ROOT, "calibration %d of %d: %.3g requests/s", done + 1, all,
                                rate),
                        (double) done / all, estimateSeconds(proposal) * (1 - (double) done / all));
                SlotRunner.Measured measured = runner.run(server, "calibration-s" + session + "-p" + point,
                        Arm.BASELINE, rate,
                        Plan.slotSeed(proposal.measure().seed(), CALIBRATION_BLOCK + session, point), _ -> {
                        });
                if (!server.alive()) {
                    throw AssayException.environment("the baseline's server died during calibration: "
                            + server.lastWords());
                }
                if (measured.summary().requests().completed() == 0) {
                    throw AssayException
                            .evidence("calibration at " + rate + " requests/s: no request completed ("
                                    + measured.summary().requests().failed() + "), first failure: "
                                    + failure(measured));
                }
                fault(measured, shape).ifPresent(line -> faults
                        .add(String.format(Locale.ROOT, "calibration at %.3g/s: %s", rate, line)));
                journal.append(new Event.CalibrationSlot(session, point, rate, measured.evidence(),
                        measured.summary(),
                        measured.telemetry()));
                runs.add(new CalibrationRun(rate,
                        RequestLog.read(files.evidence().path(measured.evidence().getFirst())),
                        measured.telemetry()));
            }
            return sizing;
        } finally {
            progress.at("session took " + (clock.millis() - start) / 1000 + " s", 1, 0);
        }
    }

    private Optional<String> fault(SlotRunner.Measured measured, ModelShape shape) {
        OptionalDouble bandwidth = proposal.local().bandwidthGbPerS();
        return bandwidth.isEmpty()
                ? Optional.empty()
                : FloorCheck.fault(proposal.arms().baseline().settings(), shape, bandwidth.getAsDouble(),
                        measured.summary(), measured.telemetry());
    }

    private static String failure(SlotRunner.Measured measured) {
        return measured.outcomes().stream().filter(o -> !o.completed()).map(o -> o.detail()).findFirst()
                .orElse("unknown");
    }

    private Prediction forecast(ModelShape shape, dev.assay.workload.Calibration sizing,
            List<CalibrationRun> runs) {
        Calibration calibration = Calibrator.calibrate(shape, proposal.arms().baseline().settings(), runs,
                proposal.slo());
        Forecast modelled = Forecaster.forecast(new ForecastRequest(shape,
                proposal.arms().baseline().settings(),
                proposal.arms().candidate().settings(), calibration, Schedules.spec(proposal.workload()),
                proposal.loadPoints(), proposal.slo(), proposal.measure().slotS(),
                proposal.measure().blocks(),
                proposal.measure().seed(), proposal.local(), Schedules.law(proposal)));
        List<String> warnings = new ArrayList<>(modelled.warnings());
        warnings.addAll(faults);
        Forecast warned = new Forecast(modelled.level(), modelled.points(), modelled.assumptions(), warnings);
        Set<String> observable = new HashSet<>();
        runs.forEach(r -> observable.addAll(r.telemetry().keySet()));
        Forecast forecast = width.map(w -> w.apply(warned)).orElse(warned);
        return new Prediction(shape, sizing, calibration, forecast,
                Claims.of(proposal, forecast, observable).stream().map(this::named).toList(),
                Premises.of(proposal),
                width);
    }

    /** A claim whose interval the ledger changed says so. */
    private Claim named(Claim claim) {
        return width.isPresent() && claim.expectation() instanceof Expectation.Within
                ? new Claim(claim.id(), claim.level(), claim.statement() + " (" + width.get().words() + ")",
                        claim.expectation(), claim.rejectedIf(), claim.follows(), claim.decisive())
                : claim;
    }
}
