package dev.assay.load;

import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Requests and one-request runs against a {@link ScriptedServer}. */
final class LoadFixtures {
    static final long MS = 1_000_000;

    private LoadFixtures() {}

    static List<Request> requests(int n, long gapMicros, int tokens) {
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(new Request(i, i * gapMicros * 1000, "a \"prompt\"\n", 4, tokens, "default",
                    Optional.empty()));
        }
        return all;
    }

    static LoadOptions options() {
        return LoadOptions.openLoop().withTimeLimit(3000 * MS);
    }

    static RequestOutcome one(Target.Api api, ScriptedServer.Script script) throws IOException {
        return one(api, options(), script);
    }

    static RequestOutcome one(Target.Api api, LoadOptions options, ScriptedServer.Script script)
            throws IOException {
        return run(api, requests(1, 0, 4), options.withText(), script).outcomes().getFirst();
    }

    static LoadRun run(Target.Api api, List<Request> schedule, LoadOptions options,
            ScriptedServer.Script script)
            throws IOException {
        try (ScriptedServer server = new ScriptedServer(script)) {
            return LoadGenerator.run(Target.of(server.url(), "m").withApi(api), schedule, options);
        }
    }
}
