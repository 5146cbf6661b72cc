package dev.assay.cli;

import dev.assay.load.nullserver.NullServer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay null-server}: the server that {@code assay load --self-test} drives. */
@Command(name = "null-server", hidden = true, mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = "Answers the OpenAI completions and chat interfaces with made-up tokens, for measuring clients.", footer = {
        "", "A request chooses its pace by the fields null_ttft_us and null_itl_us, in microseconds:",
        "  assay null-server --port 9900 &",
        "  assay load --url http://127.0.0.1:9900 --model null \\",
        "      --extra-body '{\"null_itl_us\":10000}'"})
public final class NullServerCommand implements Callable<Integer> {
    @Option(names = "--port", paramLabel = "N", defaultValue = "9900", description = "Where to listen (default ${DEFAULT-VALUE}; 0: any free port).")
    private int port = 9900;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try (NullServer server = new NullServer(port, System::nanoTime)) {
            spec.commandLine().getOut().println("listening on http://127.0.0.1:" + server.port());
            server.run();
        }
        return Exit.DONE;
    }
}
