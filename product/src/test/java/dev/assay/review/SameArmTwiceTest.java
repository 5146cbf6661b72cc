package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.Expectation.Band;
import dev.assay.stats.Interval;
import dev.assay.stats.Proportion;
import dev.assay.stats.Quantiles;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole A/A reviews through the real plan, samples and verdicts: both arms are one simulated server, so each difference
 * that is called is a false alarm. The oracle is the level that is promised: of many reviews at most 5 % may call one,
 * over all four load points together, within what the binomial distribution allows (p = 0.001).
 */
class SameArmTwiceTest {
    private static final int REVIEWS = 600;
    private static final Proposal PROPOSAL = Fixtures.proposal();
    private static final int REQUESTS = 30;
    private static final double ALPHA = 1 - Comparison.LEVEL;
    private static final double CHANCE = 0.001;

    @ParameterizedTest
    @EnumSource
    void noStatementCallsADifferenceMoreOftenThanItSays(World world) {
        Calls calls = new Calls();
        for (int seed = 0; seed < REVIEWS; seed++) {
            calls.count(verdicts(world.review(seed, 1)));
        }
        assertThat(calls.counted).containsOnlyKeys(Statement.values());
        calls.counted.forEach((statement, times) -> assertThat(Proportion.testGreater(times, REVIEWS, ALPHA))
                .as("%s: %d of %d reviews", statement, times, REVIEWS).isGreaterThan(CHANCE));
        // Were the level not shared by the load points, one of four would call far more often: the promise is not empty.
        assertThat(Proportion.testGreater(calls.anySingle, REVIEWS, ALPHA))
                .as("single intervals: %d", calls.anySingle).isLessThan(CHANCE);
    }

    /** The bounds are no wider than they must be: without drift an interval misses about as often as it says. */
    @Test
    void theLevelIsUsed() {
        Calls calls = new Calls();
        for (int seed = 0; seed < REVIEWS; seed++) {
            calls.count(verdicts(World.QUIET.review(seed, 1)));
        }
        assertThat(Proportion.testLess(calls.times(Statement.JOINT_INTERVAL), REVIEWS, 0.8 * ALPHA))
                .isGreaterThan(CHANCE);
    }

    @ParameterizedTest
    @EnumSource
    void aRealDifferenceIsCalled(World world) {
        int called = 0;
        for (int seed = 0; seed < 100; seed++) {
            called += leavesOutOne(verdicts(world.review(seed, 1.5)), true) ? 1 : 0;
        }
        assertThat(called).isGreaterThan(80);
    }

    /** What can call a difference in a review; the constraint is held to a margin of next to nothing. */
    private enum Statement {
        JOINT_INTERVAL, OBJECTIVE, FORECAST_OF_A_GAIN, FORECAST_OF_NO_CHANGE, CONSTRAINTS
    }

    /** In how many reviews each statement called a difference. */
    private static final class Calls {
        private final Map<Statement, Integer> counted = new EnumMap<>(Statement.class);
        private int anySingle;

        Calls() {
            for (Statement statement : Statement.values()) {
                counted.put(statement, 0);
            }
        }

        int times(Statement statement) {
            return counted.getOrDefault(statement, 0);
        }

        void count(Verdicts v) {
            List<Double> rates = PROPOSAL.loadPoints();
            List<Double> last = List.of(rates.getLast());
            add(Statement.JOINT_INTERVAL, leavesOutOne(v, true));
            add(Statement.OBJECTIVE,
                    is(v, new Expectation.AtLeast("goodput_rps", 1.0001, last), Verdict.Survived.class));
            add(Statement.FORECAST_OF_A_GAIN, is(v,
                    new Expectation.Within("goodput_rps", bands(last, 1.0001, 2)), Verdict.Survived.class));
            add(Statement.FORECAST_OF_NO_CHANGE, is(v,
                    new Expectation.Within("goodput_rps", bands(rates, 1, 1)), Verdict.Refuted.class));
            add(Statement.CONSTRAINTS,
                    is(v, new Expectation.NotWorse("goodput_rps", 1e-6, rates), Verdict.Refuted.class));
            anySingle += leavesOutOne(v, false) ? 1 : 0;
        }

        private void add(Statement statement, boolean called) {
            counted.merge(statement, called ? 1 : 0, Integer::sum);
        }
    }

    private static boolean is(Verdicts verdicts, Expectation expectation, Class<? extends Verdict> kind) {
        return kind.isInstance(
                verdicts.decide(new Claim("c", Level.END_TO_END, "", expectation, "", List.of(), true))
                        .verdict());
    }

    private static List<Band> bands(List<Double> rates, double low, double high) {
        return rates.stream().map(r -> new Band(r, low, (low + high) / 2, high, 0)).toList();
    }

    private static boolean leavesOutOne(Verdicts verdicts, boolean joint) {
        Comparison comparison = verdicts.comparison(Metric.GOODPUT_RPS);
        for (int point = 0; point < PROPOSAL.loadPoints().size(); point++) {
            Optional<Interval> interval = joint
                    ? comparison.joint(point)
                    : comparison.ratio(point).interval();
            if (!interval.orElseThrow().contains(1)) {
                return true;
            }
        }
        return false;
    }

    private static Verdicts verdicts(List<SlotResult> slots) {
        return new Verdicts(PROPOSAL, new Samples(slots), Optional.empty(), (_, _) -> Optional.empty(),
                Optional.empty(), Paths.UNKNOWN);
    }

    /** What disturbs the server from slot to slot; all of it has nothing to do with the arm. */
    enum World {
        /** Nothing but noise. */
        QUIET(true, 0, 0, 0, 0),
        /** Fresh processes: each session has a level of its own at all its load points, blocks drift apart. */
        SESSIONS(false, 0, 0.03, 0, 0),
        /** One server: slots that resemble those before them, and a random walk. */
        RESIDENT(true, 0.8, 0, 0, 0),
        /** As before, while it gets slower by 0.4 % a slot and the first slots are cold. */
        RAMP_AND_COLD_START(true, 0.8, 0, 0.004, 0.5);

        private final boolean resident;
        private final double memory;
        private final double session;
        private final double ramp;
        private final double cold;

        World(boolean resident, double memory, double session, double ramp, double cold) {
            this.resident = resident;
            this.memory = memory;
            this.session = session;
            this.ramp = ramp;
            this.cold = cold;
        }

        /** The slots of one review in which {@code Arm.CANDIDATE} takes {@code effect} times as long. */
        List<SlotResult> review(long seed, double effect) {
            SplittableRandom random = new SplittableRandom(seed);
            double walk = 0;
            double ar = 0;
            int index = 0;
            int block = -1;
            double ofSession = 0;
            int inSession = -1;
            List<SlotResult> slots = new ArrayList<>();
            for (SlotKey key : Plan.draw(6, 4, seed).slots(resident)) {
                if (key.block() != block) {
                    block = key.block();
                    walk += 0.05 * random.nextGaussian();
                }
                if (key.session() != inSession) {
                    inSession = key.session();
                    ofSession = session * random.nextGaussian();
                }
                ar = memory * ar + 0.02 * random.nextGaussian();
                double level = walk + ofSession + ar + ramp * index + cold * Math.exp(-index / 2.0);
                double p50 = median(random) * Math.exp(level) * (1 + 0.5 * key.point())
                        * (key.arm() == Arm.CANDIDATE ? effect : 1);
                slots.add(Fixtures.slot(key.block(), key.session(), key.arm(), key.point(), 1 / p50));
                index++;
            }
            return slots;
        }

        /** The median latency of a slot whose requests wait in one queue: each resembles the one before it. */
        private static double median(SplittableRandom random) {
            double[] latency = new double[REQUESTS];
            double log = random.nextGaussian();
            for (int i = 0; i < REQUESTS; i++) {
                log = 0.7 * log + Math.sqrt(1 - 0.7 * 0.7) * random.nextGaussian();
                latency[i] = 20 * Math.exp(0.3 * log);
            }
            return Quantiles.type7(latency, 0.5);
        }
    }
}
