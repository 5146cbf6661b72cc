package dev.assay.forecast;

import dev.assay.forecast.LocalMeasurements.Collectives;
import dev.assay.forecast.LocalMeasurements.Link;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a change does to the terms of a step beyond bytes and operations: the factors that no run of the baseline can
 * tell, each drawn from what the author measured or else from a documented prior (docs/changes).
 *
 * @param kvTime time of reading the keys and values of a token, candidate over baseline
 * @param computeTime time of an operation on one device, from splitting the matrices
 * @param streamTime time of streaming a byte on one device, from splitting the matrices
 * @param overheadTime what a step costs however little it computes
 * @param baselineLink of the baseline's collectives, whose time the calibrated law contains
 * @param candidateLink of the candidate's
 * @param epilogueShare share of the baseline's decode step in the kernels that change
 * @param epilogueSpeedup of these kernels
 * @param acceptance of a drafted token
 * @param draftCost of one, over a decode step
 */
record Effects(double kvTime, double computeTime, double streamTime, double overheadTime, Rail baselineLink,
        Rail candidateLink, double epilogueShare, double epilogueSpeedup, double acceptance,
        double draftCost) {
    /** No effect. */
    static final Effects NONE = new Effects(1, 1, 1, 1, Rail.FREE, Rail.FREE, 0, 1, 0, 0);
    /** By doubling of the devices: a GEMV of a 7B model reaches 77 % of an H100's bandwidth alone, 52 % on eight. */
    static final Range SPLIT_STREAM = new Range(1.0, 1.25);
    static final Range SPLIT_COMPUTE = new Range(1.0, 1.33);
    static final Range SPLIT_OVERHEAD = new Range(0.95, 1.25);
    /** Small all-reduces over 8 H100 took 29 to 36 us; two processes of one host may be faster. */
    static final Link ANY_LINK = new Link(new Range(8, 60), new Range(15, 400));

    /** Time of collectives: {@code latencyNanos} each, {@code nanosPerByte} on the wire. */
    record Rail(double latencyNanos, double nanosPerByte) {
        static final Rail FREE = new Rail(0, 0);

        static Rail of(Link link, double z1, double z2) {
            return new Rail(1e3 * link.alphaUs().at(z1), 1 / link.gbPerS().at(z2));
        }

        double nanos(StepArithmetic arithmetic, double tokens) {
            return arithmetic.collectives() * latencyNanos
                    + tokens * arithmetic.collectiveBytesPerToken() * nanosPerByte;
        }
    }

    /**
     * The deviates of one draw.
     *
     * @param uniform in [0, 1]: how far attention is bound by bytes
     * @param z standard normal ones
     */
    record Deviates(double uniform, double[] z) {
        private static final int COUNT = 11;
        static final Deviates CENTRAL = new Deviates(0.5, new double[COUNT]);

        static Deviates draw(SplittableRandom random) {
            double uniform = random.nextDouble();
            double[] z = new double[COUNT];
            for (int i = 0; i < COUNT; i++) {
                z[i] = random.nextGaussian();
            }
            return new Deviates(uniform, z);
        }
    }

    /** The effects of going from the baseline to an arm. */
    static Effects of(EngineSettings baseline, EngineSettings arm, LocalMeasurements measured, Deviates d) {
        double[] z = d.z();
        double doublings = Math.log((double) arm.devices() / baseline.devices()) / Math.log(2);
        Optional<LocalMeasurements.Epilogue> epilogue = measured.epilogue()
                .filter(_ -> !arm.decodeEpilogue().equals(baseline.decodeEpilogue()));
        Optional<LocalMeasurements.Speculation> speculation = measured.speculation()
                .filter(_ -> !arm.speculativeTokens().equals(baseline.speculativeTokens()));
        boolean sameArm = arm.equals(baseline);
        return new Effects(KvEffect.of(baseline.kv(), arm.kv()).time(d.uniform(), z[0], z[1]),
                Math.pow(SPLIT_COMPUTE.at(z[2]), doublings), Math.pow(SPLIT_STREAM.at(z[3]), doublings),
                Math.pow(SPLIT_OVERHEAD.at(z[4]), doublings),
                Rail.of(link(measured.collectives().flatMap(Collectives::baseline)), z[5], z[6]),
                Rail.of(candidateLink(baseline, arm, measured, sameArm), z[5], z[6]),
                epilogue.map(e -> e.share().at(z[7], 1)).orElse(0.0),
                epilogue.map(e -> e.speedup().at(z[8])).orElse(1.0),
                speculation.map(s -> s.acceptance().at(z[9], 1)).orElse(0.0),
                speculation.map(s -> s.draftCost().at(z[10])).orElse(0.0));
    }

    /** A path that does not change keeps the baseline's measurement; both draw with the same deviates. */
    private static Link candidateLink(EngineSettings baseline, EngineSettings arm, LocalMeasurements measured,
            boolean sameArm) {
        Optional<Link> before = measured.collectives().flatMap(Collectives::baseline);
        Optional<Link> after = measured.collectives().flatMap(Collectives::candidate);
        boolean samePath = arm.collectivePath().equals(baseline.collectivePath())
                && arm.devices() == baseline.devices();
        return link(sameArm || samePath ? before : after.or(() -> before));
    }

    private static Link link(Optional<Link> stated) {
        return stated.orElse(ANY_LINK);
    }

    /** Tokens that a sequence gets from a step that verifies {@code drafted}: (1 - a^(g+1)) / (1 - a). */
    static double tokensPerStep(double acceptance, int drafted) {
        double sum = 0;
        double power = 1;
        for (int i = 0; i <= drafted; i++) {
            sum += power;
            power *= acceptance;
        }
        return sum;
    }
}
