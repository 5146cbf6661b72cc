package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.load.BothVersions;
import dev.assay.review.ReviewFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A review whose arms are spoken to by HTTP/2 and with a header, with arrivals of its own, from lint to verify. */
class ReviewWayIT {
    @TempDir
    Path temp;

    @Test
    void theLoadGoesByHttp2AndTheSmallRequestsDoNot() throws IOException {
        Path review = temp.resolve("h2");
        try (BothVersions server = new BothVersions()) {
            String arm = "url: \"" + server.url() + "\"\n    http2: true\n    headers: {X-Tenant: blue}";
            ReviewFiles files = TinyReview.create(review,
                    TinyReview.template(1, server.url(), server.url()).set("baseline", arm)
                            .set("candidate", arm)
                            .set("output_tokens", "6\"\n  arrivals: {kind: gamma, burstiness: 0.5}  #\"")
                            .set("prompts", "2"));
            assertThat(Cli.run("lint", review.toString()).out()).contains("ready to predict");
            Cli predicted = Cli.run("predict", "--ledger", "none", review.toString());
            assertThat(predicted.code()).as(predicted.err()).isZero();
            assertThat(files.prediction().forecast().assumptions().getFirst())
                    .startsWith("Gamma arrivals of burstiness 0.5 (gaps vary by 141 %) at the load point");
            assertThat(Cli.run("seal", review.toString()).code()).isZero();
            Cli measured = Cli.run("measure", review.toString());
            assertThat(measured.code()).as(measured.err()).isIn(Exit.DONE, Exit.AGAINST, Exit.EVIDENCE);
            assertThat(server.streamsByHttp2()).isGreaterThan(100);
            assertThat(server.streamsByHttp1()).isZero();
            assertThat(server.tenants()).isNotEmpty().allMatch("blue"::equals);
        }
        assertThat(Cli.run("verify", review.toString()).out()).contains("accepted");
        assertThat(Files.readString(review.resolve(ReviewFiles.RECORD_MD)))
                .contains("gamma arrivals of burstiness 0.5", "(HTTP/2, header X-Tenant: blue)");
        assertThat(Cli.run("show", review.toString()).out().replaceAll("\\s+", " "))
                .contains("Gamma arrivals of burstiness 0.5");
    }
}
