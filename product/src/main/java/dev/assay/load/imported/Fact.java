package dev.assay.load.imported;

import java.util.Locale;

/** What a result says about its configuration; two runs compare where the facts that make the load agree. */
public enum Fact {
    MODEL("model", Role.LOAD), ENDPOINT("endpoint", Role.LOAD), ARRIVALS("arrivals", Role.POINT), RATE("rate",
            Role.POINT), CONCURRENCY("concurrency", Role.POINT), DATASET("dataset",
                    Role.LOAD), REQUESTS("requests", Role.LOAD), MEAN_INPUT_TOKENS("mean input tokens",
                            Role.LENGTH), MEAN_OUTPUT_TOKENS("mean output tokens", Role.LENGTH), SLO("SLO",
                                    Role.LOAD), SEED("seed", Role.SEED), TOKENIZER("tokenizer",
                                            Role.NOTE), SERVER("server", Role.NOTE);

    /** What a difference in a fact means. */
    enum Role {
        /** It is part of the load point. */
        POINT,
        /** It changes what is asked of the server. */
        LOAD,
        /** As LOAD, but small differences are chance. */
        LENGTH,
        /** Another draw of the same workload. */
        SEED,
        /** Shown only. */
        NOTE
    }

    private final String label;
    private final Role role;

    Fact(String label, Role role) {
        this.label = label;
        this.role = role;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    Role role() {
        return role;
    }

    /** The constant in lower case, as options and files name it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
