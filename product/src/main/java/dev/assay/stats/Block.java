package dev.assay.stats;

import java.util.stream.DoubleStream;

/**
 * The values of one metric in the four slots of one block at one load point: two of arm A (baseline) and two of arm B
 * (candidate), in the order ABBA or BAAB. The contrasts do not depend on the order within an arm, and a drift that is
 * linear over the four slots cancels in them. A value that could not be measured is {@code NaN}.
 */
public record Block(double a1, double b1, double b2, double a2) {

    /** Half the log of B's product less half the log of A's: {@code -inf}, {@code inf} or {@code NaN} unless all are positive. */
    public double logRatio() {
        return (Math.log(b1) + Math.log(b2)) / 2 - (Math.log(a1) + Math.log(a2)) / 2;
    }

    /** Mean of B less mean of A, in the metric's unit. */
    public double difference() {
        return (b1 + b2) / 2 - (a1 + a2) / 2;
    }

    DoubleStream values() {
        return DoubleStream.of(a1, b1, b2, a2);
    }
}
