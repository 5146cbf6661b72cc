package dev.assay.engine;

import dev.assay.json.Json;
import dev.assay.model.WeightFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The shipped model and what an independent implementation computed from it. */
final class Shipped {
    static final Path MODEL = Path.of(Objects.requireNonNull(System.getProperty("assay.root"), "assay.root"),
            "model", "assay-18m-bf16.gguf");

    private Shipped() {}

    /** Greedy tokens and logit margins in float64 by full recomputation; made by make_model.py, step {@code oracle}. */
    record Oracle(String weights, String arithmetic, List<Continuation> continuations) {}

    record Continuation(String prompt, List<Integer> promptIds, List<Integer> greedyIds,
            List<Double> top2Margin) {}

    /** A held-out block: 2,048 ids and their text. */
    record Block(List<Integer> ids, String text) {
        int[] idArray() {
            return ints(ids);
        }
    }

    static Decoder decoder(WeightFormat format, int pageSize, int pages, int threads) {
        return Decoder.load(MODEL, new DecoderConfig(format, pageSize, pages, threads));
    }

    static Oracle oracle() {
        return Json.read(resource("oracle.json"), Oracle.class, "oracle.json");
    }

    static Block block() {
        return Json.read(resource("validation-1.jsonl"), Block.class, "validation-1.jsonl");
    }

    static String resource(String name) {
        try (var in = Objects.requireNonNull(Shipped.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Page ids {@code first}, {@code first + step}, ... */
    static int[] pages(int first, int step, int count) {
        int[] pages = new int[count];
        for (int i = 0; i < count; i++) {
            pages[i] = first + i * step;
        }
        return pages;
    }
}
