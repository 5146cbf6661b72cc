package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** A kind of JSON result file, known by the fields of its first document. */
interface JsonFormat {
    /** Whether the first document of a file is of this kind. */
    boolean accepts(JsonValue first);

    /** The runs of a file, whose first document was read and whose others follow. */
    List<ImportedRun> read(JsonValue first, JsonStream rest, String source);

    /** Refuses a second document where the format has one. */
    static void requireEnd(JsonStream rest, String format) {
        Optional<JsonValue> more = rest.next();
        if (more.isPresent()) {
            throw AssayException.misuse(more.get().at() + ": expected the end of a " + format
                    + " document, found another document");
        }
    }
}
