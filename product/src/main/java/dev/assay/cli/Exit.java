package dev.assay.cli;

/** The exit codes of every command. */
final class Exit {
    static final int DONE = 0;
    /** The verdict is against the change. */
    static final int AGAINST = 1;
    static final int MISUSE = 2;
    /** Evidence is invalid or not sufficient. */
    static final int EVIDENCE = 3;
    static final int ENVIRONMENT = 4;

    private Exit() {}
}
