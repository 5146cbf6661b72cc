package dev.assay.value;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one arm is worth at one load point. What is unknown or undefined is absent, never 0.
 *
 * @param arm {@code baseline} or {@code candidate}
 * @param loadPoint offered load, as the review names it
 * @param outputTokensPerSecond throughput
 * @param goodTokensPerSecond output tokens of requests that met their SLO, per second
 * @param goodputRps good requests per second
 * @param costPerMillionTokens in the currency of the hourly price; absent without a price or throughput
 * @param costPerMillionGoodTokens the same over good tokens
 * @param peakMemoryBytes largest resident memory of the server with its children; absent where not measured
 * @param joulesPerToken absent without an energy counter
 */
public record ValueRow(String arm, double loadPoint, double outputTokensPerSecond, double goodTokensPerSecond,
        double goodputRps, OptionalDouble costPerMillionTokens, OptionalDouble costPerMillionGoodTokens,
        Optional<Long> peakMemoryBytes, OptionalDouble joulesPerToken) {
    public ValueRow {
        Cost.require("goodput", goodputRps);
        Cost.require("load point", loadPoint);
        if (peakMemoryBytes.isPresent() && peakMemoryBytes.get() <= 0) {
            throw new IllegalArgumentException(
                    "peak memory " + peakMemoryBytes.get() + " B: expected more than 0");
        }
    }

    /** The row from measured rates and, where known, the hourly price, memory and energy per token. */
    public static ValueRow of(String arm, double loadPoint, double outputTokensPerSecond,
            double goodTokensPerSecond,
            double goodputRps, OptionalDouble hourlyPrice, Optional<Long> peakMemoryBytes,
            OptionalDouble joulesPerToken) {
        boolean priced = hourlyPrice.isPresent();
        return new ValueRow(arm, loadPoint, outputTokensPerSecond, goodTokensPerSecond, goodputRps,
                priced
                        ? Cost.perMillionOutputTokens(hourlyPrice.getAsDouble(), outputTokensPerSecond)
                        : hourlyPrice,
                priced
                        ? Cost.perMillionGoodTokens(hourlyPrice.getAsDouble(), outputTokensPerSecond,
                                goodTokensPerSecond)
                        : hourlyPrice,
                peakMemoryBytes, joulesPerToken);
    }
}
