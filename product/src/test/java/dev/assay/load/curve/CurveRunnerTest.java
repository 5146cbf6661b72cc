package dev.assay.load.curve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.stats.ShareEstimate;
import dev.assay.workload.RunSummary;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CurveRunnerTest {
    private static CurveSlot slot(int number, String purpose, double load, int n, int good,
            List<String> faults) {
        RunSummary summary = new RunSummary(new RunSummary.Requests(n, n, Map.of()), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                new RunSummary.Throughput(load, load), OptionalDouble.empty(), OptionalDouble.empty(),
                Optional.empty(), 1, List.of());
        return new CurveSlot(number, purpose, load, 0, 2, ShareEstimate.of(good, n, 1, 0.95), load, false,
                faults,
                summary, Optional.empty(), Optional.empty(), Map.of(), Optional.empty());
    }

    private static final Slots CLIFF = (number, purpose, load, n) -> Optional
            .of(slot(number, purpose, load, n, load <= 5 ? n : 0, List.of()));

    private static CurvePlan search() {
        return CurvePlan.around(new LoadSearch(SearchSettings.of(1, 0.95)), CurveRunner.AROUND, 130);
    }

    @Test
    void pointsLieBelowAtAndAboveTheLimitFound() {
        List<Integer> told = new ArrayList<>();
        List<Double> left = new ArrayList<>();
        Curve curve = new CurveRunner(CLIFF, (s, rest) -> {
            told.add(s.number());
            left.add(TimeNeeded.left(rest, new SlotSize(4, 60), 60_000_000_000L));
        }, Optional::empty).run(search());
        double knee = curve.found().estimate().orElseThrow();
        assertThat(knee).isBetween(4.0, 6.0);
        assertThat(curve.points())
                .isSortedAccordingTo((a, b) -> Double.compare(a.offeredRps(), b.offeredRps()));
        for (double factor : CurveRunner.AROUND) {
            assertThat(curve.points()).anyMatch(p -> Math.abs(p.offeredRps() / (knee * factor) - 1) < 0.07);
        }
        assertThat(told).hasSameSizeAs(curve.slots()).startsWith(1, 2, 3);
        assertThat(curve.seconds()).isEqualTo(2 * curve.slots().size());
        assertThat(curve.cutShort()).isEmpty();
        // Nothing is left after the last slot, and something was before it.
        assertThat(left.getLast()).isZero();
        assertThat(left.subList(0, left.size() - 1)).allMatch(t -> t > 0);
    }

    @Test
    void aRunThatIsStoppedKeepsWhatItHasAndDropsTheSlotInProgress() {
        for (int stop = 0; stop < 12; stop++) {
            int[] asked = {0};
            int last = stop;
            Slots slots = (number, purpose, load, n) -> {
                asked[0]++;
                return CLIFF.measure(number, purpose, load, n);
            };
            Curve curve = new CurveRunner(slots, (_, _) -> {
            }, () -> asked[0] > last ? Optional.of("stopped by the user") : Optional.empty())
                    .run(search());
            assertThat(curve.slots()).hasSize(stop);
            assertThat(curve.cutShort().orElseThrow())
                    .startsWith("stopped by the user in slot " + (stop + 1) + ", ")
                    .endsWith("which is left out");
            assertThat(curve.found().meets().orElse(0)).isLessThanOrEqualTo(5);
            assertThat(curve.found().misses().orElse(9)).isGreaterThan(5);
        }
    }

    @Test
    void givenLoadsAreMeasuredAndAnInvalidSlotIsRepeatedOnce() {
        Slots broken = (number, purpose, load, n) -> Optional.of(slot(number, purpose, load, n, n,
                load == 2 ? List.of("client-saturation: busy") : List.of()));
        Curve curve = new CurveRunner(broken, (_, _) -> {
        }, Optional::empty).run(CurvePlan.given(new LoadSearch(SearchSettings.of(1, 0.95)),
                List.of(1.0, 2.0, 4.0), 200));
        assertThat(curve.slots()).extracting(CurveSlot::purpose).containsExactly("given", "given", "repeat",
                "given");
        assertThat(curve.points()).extracting(CurvePoint::offeredRps).containsExactly(1.0, 4.0);
        assertThat(curve.found().meets()).hasValue(4);
    }

    @Test
    void failingRequestsMissTheSloAndVoidNothing() {
        List<ValidityCheck> checks = List.of(new ValidityCheck("error-share", Status.FAIL, "all"),
                new ValidityCheck("sample-count", Status.FAIL, "0"),
                new ValidityCheck("schedule-lag", Status.WARN, "some"));
        assertThat(CurveSlot.voiding(checks, false)).isEmpty();
        assertThat(CurveSlot.voiding(List.of(new ValidityCheck("schedule-lag", Status.FAIL, "30 ms")), true))
                .containsExactly("schedule-lag: 30 ms");
    }

    @Test
    void loadsAreRoundedToThreeDigits() {
        assertThat(CurveRunner.round(1234.5)).isEqualTo(1230);
        assertThat(CurveRunner.round(0.012345)).isCloseTo(0.0123, org.assertj.core.data.Offset.offset(1e-12));
    }
}
