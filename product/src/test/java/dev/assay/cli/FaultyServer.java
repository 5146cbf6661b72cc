package dev.assay.cli;

import dev.assay.load.ScriptedServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of completions that is up in a moment and has a fault. */
final class FaultyServer {
    private static final int PROMPT = 12;

    private FaultyServer() {}

    /** The command that starts one for which {@code $fault} says how it fails. */
    static String command() throws IOException {
        Path classes = Path
                .of(FaultyServer.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        return "exec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -XX:+UseSerialGC"
                + " -XX:TieredStopAtLevel=1 -cp '" + classes.toRealPath() + "' "
                + FaultyServer.class.getName()
                + " {port} $fault";
    }

    /** The port, and {@code none}, {@code errors} (each second stream) or {@code dies} (within the tenth). */
    public static void main(String[] args) throws IOException, InterruptedException {
        AtomicInteger streams = new AtomicInteger();
        try (ScriptedServer _ = new ScriptedServer(ScriptedServer.completions(e -> {
            int n = streams.incrementAndGet();
            if (args[1].equals("errors") && n % 2 == 0) {
                e.reply(503, "{\"error\":{\"message\":\"no luck\"}}");
                return;
            }
            if (args[1].equals("dies") && n == 10) {
                Runtime.getRuntime().halt(9);
            }
            e.tokens(TinyReview.QUICK_TOKENS, PROMPT, TinyReview.QUICK_GAP_MILLIS);
        }), Integer.parseInt(args[0]))) {
            Thread.currentThread().join();
        }
    }
}
