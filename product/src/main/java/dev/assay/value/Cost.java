package dev.assay.value;

import java.util.OptionalDouble;

/** What tokens cost. Prices are per hour of the whole deployment that gave the throughput, in any one currency. */
public final class Cost {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double MILLION = 1e6;

    private Cost() {}

    /**
     * Price of a million output tokens: {@code hourlyPrice * 1e6 / (3600 * tokensPerSecond)}. Absent where nothing was
     * produced, since the price per token is then undefined and not infinite.
     */
    public static OptionalDouble perMillionOutputTokens(double hourlyPrice, double tokensPerSecond) {
        require("hourly price", hourlyPrice);
        require("tokens per second", tokensPerSecond);
        return tokensPerSecond == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(hourlyPrice * MILLION / (SECONDS_PER_HOUR * tokensPerSecond));
    }

    /**
     * Price of a million <em>good</em> output tokens, those of requests that met their SLO: the whole price is borne by
     * them.
     *
     * @param goodTokensPerSecond output tokens of good requests per second, at most the total
     */
    public static OptionalDouble perMillionGoodTokens(double hourlyPrice, double tokensPerSecond,
            double goodTokensPerSecond) {
        require("tokens per second", tokensPerSecond);
        if (goodTokensPerSecond > tokensPerSecond) {
            throw new IllegalArgumentException(
                    "good tokens per second " + goodTokensPerSecond + ": expected at most "
                            + tokensPerSecond);
        }
        return perMillionOutputTokens(hourlyPrice, goodTokensPerSecond);
    }

    static void require(String name, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    name + " " + value + ": expected a finite number of at least 0");
        }
    }
}
