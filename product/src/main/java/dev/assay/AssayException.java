package dev.assay;

/**
 * A fault that the user can act on: bad input or a broken environment. Its message is one line that says what, where
 * (file, line, field) and what was expected; {@code cli} prints it without a stack trace.
 */
public final class AssayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Who has to act, which decides the exit code. */
    public enum Kind {
        /** The input is wrong (exit code 2). */
        MISUSE,
        /** The evidence is invalid or not sufficient (exit code 3). */
        EVIDENCE,
        /** The machine, a server or the disk failed (exit code 4). */
        ENVIRONMENT
    }

    private final Kind kind;

    private AssayException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    private AssayException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** The input is wrong: exit code 2. */
    public static AssayException misuse(String message) {
        return new AssayException(Kind.MISUSE, message);
    }

    /** The evidence is invalid or not sufficient: exit code 3. */
    public static AssayException evidence(String message) {
        return new AssayException(Kind.EVIDENCE, message);
    }

    /** The environment failed: exit code 4. */
    public static AssayException environment(String message) {
        return new AssayException(Kind.ENVIRONMENT, message);
    }

    /** The environment failed, with its cause: exit code 4. */
    public static AssayException environment(String message, Throwable cause) {
        return new AssayException(Kind.ENVIRONMENT, message, cause);
    }

    /** Who has to act. */
    public Kind kind() {
        return kind;
    }
}
