package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MultiplicityTest {
    /** R: p.adjust(c(.01,.04,.03,.005,.2), "holm") and "BH"; the latter also SciPy's false_discovery_control. */
    @Test
    void matchesR() {
        assertThat(Holm.adjust(.01, .04, .03, .005, .2))
                .containsExactly(new double[]{.04, .09, .09, .025, .2}, within(1e-15));
        assertThat(BenjaminiHochberg.adjust(.01, .04, .03, .005, .2))
                .containsExactly(new double[]{.025, .05, .05, .025, .2}, within(1e-15));
        assertThat(Holm.adjust()).isEmpty();
        assertThat(Holm.adjust(.6, .7)).containsExactly(1, 1);
    }

    @Test
    void untestableClaimsStayInTheFamily() {
        List<OptionalDouble> adjusted = Holm
                .adjust(List.of(OptionalDouble.of(.01), OptionalDouble.empty(), OptionalDouble.of(.02)));
        assertThat(adjusted.get(0).orElseThrow()).isCloseTo(.03, within(1e-15));
        assertThat(adjusted.get(1)).isEmpty();
        assertThat(adjusted.get(2).orElseThrow()).isCloseTo(.04, within(1e-15));
    }

    @Test
    void bonferroniDividesTheError() {
        assertThat(Bonferroni.level(.95, 4)).isCloseTo(.9875, within(1e-15));
        assertThatThrownBy(() -> Holm.adjust(1.5)).hasMessage("p value 1.5: expected a number in [0, 1]");
    }
}
