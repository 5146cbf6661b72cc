package dev.assay.engine;

import dev.assay.model.WeightFormat;
import dev.assay.scheduler.SchedulerConfig;
import java.nio.file.Path;

/** Servers on a free port, for tests. */
final class Servers {
    static final Path ROOT = Path.of(System.getProperty("assay.root", "."));
    static final Path MODEL = ROOT.resolve("model/assay-18m-bf16.gguf");

    private Servers() {}

    static EngineConfig config(int cap, int budget, int block, int pages, boolean caching, int threads) {
        return new EngineConfig(MODEL, "assay-18m", "127.0.0.1", 0,
                new SchedulerConfig(cap, budget, block, pages, 0.01, caching), 2048, WeightFormat.F32,
                threads);
    }

    /** The shipped model. */
    static EngineServer real(int cap, int budget, int block, int pages, boolean caching, int threads) {
        return EngineServer.start(config(cap, budget, block, pages, caching, threads));
    }

    /** The toy decoder, with a time per step. */
    static EngineServer toy(int cap, int budget, int pages, boolean caching, long stepNanos) {
        EngineConfig config = config(cap, budget, 16, pages, caching, 1);
        return EngineServer.start(config, () -> new ToyDecoder(MODEL, config.decoder(), budget, stepNanos));
    }
}
