package dev.assay.engine;

/** A request that cannot be served: its HTTP status, the field at fault where there is one, and one line of reason. */
final class ApiError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String param;
    private final String code;

    private ApiError(int status, String param, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.param = param;
        this.code = code;
    }

    /** 400: a field is wrong; the message begins with its name. */
    static ApiError field(String param, String message) {
        return new ApiError(400, param, "", param + ": " + message);
    }

    /** 400 with OpenAI's code for a request that is too long. */
    static ApiError tooLong(String param, String message) {
        return new ApiError(400, param, "context_length_exceeded", param + ": " + message);
    }

    /** Any status, no field. */
    static ApiError of(int status, String code, String message) {
        return new ApiError(status, "", code, message);
    }

    int status() {
        return status;
    }

    /** The field at fault, or empty. */
    String param() {
        return param;
    }

    /** OpenAI's machine-readable code, or empty. */
    String code() {
        return code;
    }
}
