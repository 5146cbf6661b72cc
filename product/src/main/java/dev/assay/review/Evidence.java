package dev.assay.review;

/** The kinds of evidence and what their files hold. */
final class Evidence {
    /** Per-request records of a slot: Parquet. */
    static final String REQUESTS = "requests";
    /** The rest of a slot's raw data: JSON, see {@link SlotRecord}. */
    static final String SLOT = "slot";
    /** The embedded engine's step log of a slot: gzip-compressed JSON lines. */
    static final String STEPS = "steps";
    /** The comparison of outputs: JSON. */
    static final String QUALITY = "quality";
    /** The operating curve of the baseline that gave the load points: JSON. */
    static final String CURVE = "curve";
    /** The log of a server that failed: text. */
    static final String SERVER_LOG = "server-log";

    private Evidence() {}
}
