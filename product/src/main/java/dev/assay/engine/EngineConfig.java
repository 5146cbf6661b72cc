package dev.assay.engine;

import dev.assay.model.WeightFormat;
import dev.assay.scheduler.SchedulerConfig;
import java.nio.file.Path;

/**
 * All settings of one server.
 *
 * @param model           the GGUF file
 * @param servedModelName the model's name in the API
 * @param host            address to listen on
 * @param port            port to listen on; 0 for any free one
 * @param scheduler       batching and pool
 * @param maxModelLen     the most tokens of prompt and output together
 * @param weights         the format of the weights in memory
 * @param threads         compute threads
 */
public record EngineConfig(Path model, String servedModelName, String host, int port,
        SchedulerConfig scheduler,
        int maxModelLen, WeightFormat weights, int threads) {
    public EngineConfig {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port must be between 0 and 65535, was " + port);
        }
        if (scheduler.blockSize() % DecoderConfig.TILE != 0) {
            throw new IllegalArgumentException(
                    "block_size must be a multiple of " + DecoderConfig.TILE + ", was "
                            + scheduler.blockSize());
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, was " + threads);
        }
        if (maxModelLen < 2) {
            throw new IllegalArgumentException("max_model_len must be at least 2, was " + maxModelLen);
        }
        if (servedModelName.isBlank()) {
            throw new IllegalArgumentException("served_model_name must not be blank");
        }
    }

    /** The decoder's share of the settings. */
    DecoderConfig decoder() {
        return new DecoderConfig(weights, scheduler.blockSize(), scheduler.numBlocks(), threads);
    }
}
