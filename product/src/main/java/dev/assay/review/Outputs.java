package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.quality.QualityProbe;
import dev.assay.quality.QualityPrompt;
import dev.assay.quality.QualityReport;
import dev.assay.quality.QualitySettings;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares the outputs of both arms and attaches the report, with all raw answers, as evidence. */
public final class Outputs {
    private Outputs() {}

    /** Asks the baseline, then the candidate; refused without a seal. */
    public static QualityReport compare(ReviewFiles files, InstantSource clock, Progress progress) {
        Proposal proposal = files.proposal();
        try (Journal journal = Journal.open(files.directory(), clock)) {
            Sealing.sealed(files, proposal, State.of(journal.entries()));
            progress.step(
                    "comparing the outputs of both arms on " + proposal.outputs().prompts() + " prompts");
            List<QualityPrompt> prompts = prompts(proposal.outputs().prompts());
            QualitySettings settings = settings(proposal.outputs());
            progress.at("outputs of the baseline", 0, 0);
            QualityProbe.Baseline baseline = ask(files, proposal.arms().baseline(), proposal,
                    probe -> probe.baseline(prompts, settings));
            progress.at("outputs of the candidate", 0.5, 0);
            QualityReport report = ask(files, proposal.arms().candidate(), proposal,
                    probe -> probe.candidate(baseline));
            EvidenceRef ref = files.evidence().put(Evidence.QUALITY, "json",
                    Json.pretty(report).getBytes(StandardCharsets.UTF_8));
            journal.append(new Event.EvidenceAttached(ref, "outputs of both arms"));
            return report;
        } finally {
            progress.end();
        }
    }

    /** Likelihoods are asked for only where tokens may differ: equality needs no margin. */
    private static QualitySettings settings(Proposal.Outputs outputs) {
        QualitySettings d = QualitySettings.DEFAULT;
        int positions = outputs.exact() ? 0 : Math.min(d.positionsPerPrompt(), outputs.tokens());
        return new QualitySettings(outputs.tokens(), positions, positions * outputs.prompts(), d.topK(),
                d.level(),
                d.resamples(), d.seed());
    }

    private static List<QualityPrompt> prompts(int count) {
        List<QualityPrompt> all = QualityPrompt.DEFAULT;
        if (count > all.size()) {
            throw AssayException
                    .misuse("field 'outputs.prompts' is " + count + "; expected at most " + all.size());
        }
        return all.subList(0, count);
    }

    private interface Asking<T> {
        T ask(QualityProbe probe);
    }

    private static <T> T ask(ReviewFiles files, Proposal.ArmSpec arm, Proposal proposal, Asking<T> asking) {
        try (ArmServer server = ArmServer.start(arm, files.evidence().scratch("outputs-log"));
                QualityProbe probe = new QualityProbe(server.base(), proposal.model().name(),
                        server.apiKey(), QualityProbe.DEFAULT_TIMEOUT, arm.headers().orElse(Map.of()),
                        server.way()::apply)) {
            return asking.ask(probe);
        }
    }

    /** The report of a state, checked against its hash. */
    static Optional<QualityReport> read(ReviewFiles files, State state) {
        return state.quality()
                .map(ref -> Json.read(new String(files.evidence().read(ref), StandardCharsets.UTF_8),
                        QualityReport.class, ref.file()));
    }

    /** The report of a piece of evidence, recomputed from its raw answers; a fault where the figures differ. */
    static QualityReport recomputed(EvidenceStore store, EvidenceRef ref) {
        String text = new String(store.read(ref), StandardCharsets.UTF_8);
        QualityReport report = Json.read(text, QualityReport.class, ref.file());
        if (!Json.canonical(QualityReport.recompute(report.raw())).equals(Json.canonical(report))) {
            throw AssayException.evidence(ref.file() + ": its raw answers give other figures");
        }
        return report;
    }
}
