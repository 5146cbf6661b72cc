package dev.assay.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Figures as text for people: the same in every locale, with the digits that a reader can use. */
final class Numbers {
    /** What stands where a value is absent. */
    static final String ABSENT = "–";

    private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB"};

    private Numbers() {}

    /** A value: whole from 100 on, else three significant digits. */
    static String value(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? ABSENT : value > 0 ? "∞" : "−∞";
        }
        double size = Math.abs(value);
        if (size >= 99.95) {
            return minus(String.format(Locale.ROOT, "%,d", Math.round(value)));
        }
        if (size >= 9.995) {
            return minus(String.format(Locale.ROOT, "%.1f", value));
        }
        if (size >= 0.9995) {
            return minus(String.format(Locale.ROOT, "%.2f", value));
        }
        if (size == 0) {
            return "0";
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_EVEN));
        return minus(rounded.setScale(rounded.scale() + 3 - rounded.precision()).toPlainString());
    }

    /** A value in its unit; bytes take the decimal prefix that fits. */
    static String value(double value, String unit) {
        return unit.equals("B") ? bytes(value) : value(value);
    }

    /** Bytes with a decimal prefix. */
    static String bytes(double bytes) {
        int power = 0;
        double scaled = bytes;
        while (Math.abs(scaled) >= 999.5 && power < BYTE_UNITS.length - 1) {
            scaled /= 1000;
            power++;
        }
        return value(scaled) + " " + BYTE_UNITS[power];
    }

    /** A ratio: three decimals below 10, for a ratio of 1.004 differs from one of 1.001. */
    static String ratio(double ratio) {
        return Math.abs(ratio) < 10 ? String.format(Locale.ROOT, "%.3f", ratio) : value(ratio);
    }

    /** A ratio with its interval, without one where an end is absent. */
    static String ratio(double ratio, Optional<Double> low, Optional<Double> high) {
        return low.isPresent() && high.isPresent()
                ? ratio(ratio) + " " + ratioInterval(low.get(), high.get())
                : ratio(ratio);
    }

    /** The interval of a ratio. */
    static String ratioInterval(double low, double high) {
        return "[" + ratio(low) + ", " + ratio(high) + "]";
    }

    /** The interval of a value in its unit. */
    static String interval(double low, double high, String unit) {
        return "[" + value(low, unit) + ", " + value(high, unit) + "]";
    }

    /** A share of 1 as whole percent, with a decimal below 10 %. */
    static String percent(double share) {
        double percent = 100 * share;
        return minus(String.format(Locale.ROOT, Math.abs(percent) < 9.95 && percent != Math.rint(percent)
                ? "%.1f %%"
                : "%.0f %%", percent));
    }

    /** A probability: three decimals, never the 0 that no test can give. */
    static String p(double p) {
        return p < 0.001 ? "<0.001" : String.format(Locale.ROOT, "%.3f", p);
    }

    /** A setting such as a load point: only the digits that it has. */
    static String plain(double value) {
        if (!Double.isFinite(value)) {
            return value(value);
        }
        return minus(new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString());
    }

    /** A whole number with its noun in the right form. */
    static String count(int n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }

    /** The same type of optional for both kinds of source. */
    static Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }

    private static String minus(String text) {
        return text.startsWith("-") ? "−" + text.substring(1) : text;
    }
}
