package dev.assay.load.imported;

/** How a percentile was taken; at small samples the rules differ as much as two servers do. */
public enum QuantileRule {
    /** No percentile. */
    NONE("none"),
    /** Linear between order statistics: numpy's default, Hyndman and Fan's type 7. */
    LINEAR("linear between order statistics"),
    /** The order statistic at floor(n q): LoadGen. */
    FLOOR("order statistic at floor(n q)"),
    /** The inverse of the empirical distribution. */
    INVERSE_CDF("inverse of the empirical distribution"),
    /** The inverse of the distribution in which each request counts once per token. */
    TOKEN_WEIGHTED("inverse of the distribution weighted by tokens"),
    /** The file does not say. */
    UNSTATED("not stated");

    private final String text;

    QuantileRule(String text) {
        this.text = text;
    }

    /** The rule in words. */
    public String text() {
        return text;
    }
}
