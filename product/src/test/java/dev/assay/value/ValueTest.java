package dev.assay.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.json.Json;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Expected values by hand: 3600 tokens/s are 3.6 * 3.6 = 12.96 million an hour; 2.592 / 12.96 = 0.2. */
class ValueTest {
    @Test
    void costOfAMillionTokens() {
        assertThat(Cost.perMillionOutputTokens(2.592, 3600).orElseThrow()).isCloseTo(0.2, within(1e-12));
        assertThat(Cost.perMillionGoodTokens(2.592, 3600, 900).orElseThrow()).isCloseTo(0.8, within(1e-12));
        assertThat(Cost.perMillionOutputTokens(2.592, 0)).isEmpty();
        assertThatThrownBy(() -> Cost.perMillionGoodTokens(1, 10, 11))
                .hasMessage("good tokens per second 11.0: expected at most 10.0");
        assertThatThrownBy(() -> Cost.perMillionOutputTokens(-1, 10))
                .hasMessage("hourly price -1.0: expected a finite number of at least 0");
    }

    @Test
    void energyKnowsItsUnitAndACounterThatFell() {
        OptionalDouble joules = Energy.joules(5_000, 65_000, Energy.Unit.MILLIJOULE);
        assertThat(joules.orElseThrow()).isCloseTo(60, within(1e-9));
        assertThat(Energy.joules(1, 61, Energy.Unit.JOULE)).hasValue(60);
        assertThat(Energy.joules(0, 2e6, Energy.Unit.MICROJOULE).orElseThrow()).isCloseTo(2, within(1e-12));
        assertThat(Energy.perToken(joules, 120).orElseThrow()).isCloseTo(0.5, within(1e-12));
        assertThat(Energy.perToken(joules, 0)).isEmpty();
        assertThat(Energy.joules(10, 9, Energy.Unit.JOULE)).isEmpty();
        assertThat(Energy.perToken(OptionalDouble.empty(), 5)).isEmpty();
    }

    @Test
    void aRowLeavesOutWhatIsUnknown() {
        ValueRow unpriced = ValueRow.of("baseline", 4, 3600, 900, 3.5, OptionalDouble.empty(),
                Optional.empty(),
                OptionalDouble.empty());
        assertThat(Json.canonical(unpriced)).doesNotContain("cost", "memory", "joules");
        ValueRow priced = ValueRow.of("candidate", 4, 3600, 0, 0, OptionalDouble.of(2.592),
                Optional.of(1L << 33),
                OptionalDouble.of(0.5));
        assertThat(priced.costPerMillionTokens().orElseThrow()).isCloseTo(0.2, within(1e-12));
        assertThat(priced.costPerMillionGoodTokens()).isEmpty();
        assertThat(Json.read(Json.canonical(priced), ValueRow.class, "row")).isEqualTo(priced);
    }
}
