package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', textBlock = """
            0          | 0
            0.00045678 | 0.000457
            0.5        | 0.500
            0.9996     | 1.00
            1.004      | 1.00
            9.996      | 10.0
            12.34      | 12.3
            99.96      | 100
            1234.5     | 1,235
            -3.21      | −3.21
            NaN        | –
            Infinity   | ∞
            """)
    void valuesKeepTheDigitsThatAReaderCanUse(double value, String text) {
        assertThat(Numbers.value(value)).isEqualTo(text);
    }

    @ParameterizedTest(name = "{0} B is {1}")
    @CsvSource(delimiter = '|', textBlock = """
            0         | 0 B
            999       | 999 B
            1000      | 1.00 kB
            999600    | 1.00 MB
            72400000  | 72.4 MB
            1e15      | 1,000 TB
            """)
    void bytesTakeTheDecimalPrefixThatFits(double bytes, String text) {
        assertThat(Numbers.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', textBlock = """
            0     | 0 %
            0.021 | 2.1 %
            0.1   | 10 %
            0.999 | 100 %
            -0.05 | −5 %
            """)
    void sharesArePercent(double share, String text) {
        assertThat(Numbers.percent(share)).isEqualTo(text);
    }

    @Test
    void settingsKeepTheirOwnDigits() {
        assertThat(Numbers.plain(12.5)).isEqualTo("12.5");
        assertThat(Numbers.plain(100)).isEqualTo("100");
        assertThat(Numbers.plain(0.05)).isEqualTo("0.05");
    }

    @Test
    void aRatioWithoutIntervalHasNone() {
        assertThat(Numbers.ratio(1.0599, Optional.of(1.0534), Optional.empty())).isEqualTo("1.060");
        assertThat(Numbers.ratio(1.0599, Optional.of(1.0534), Optional.of(1.0664)))
                .isEqualTo("1.060 [1.053, 1.066]");
    }

    @Test
    void noTestGivesZero() {
        assertThat(Numbers.p(0)).isEqualTo("<0.001");
        assertThat(Numbers.p(0.03125)).isEqualTo("0.031");
    }
}
