package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.load.curve.Curve;
import dev.assay.load.curve.Found;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Slo;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a search's end, whatever server it was. */
class LoadFindingTest {
    @TempDir
    Path temp;
    private ReviewFiles files;

    @BeforeEach
    void create() {
        files = Starting.create(temp.resolve("r"),
                Template.of(Proposal.ChangeKind.BATCH_CAP).set("load_points", "find")
                        .set("objective_points", "[overload]").render(),
                "t", "id", Map.of(), InstantSource.system());
    }

    private void take(OptionalDouble meets, OptionalDouble estimate, OptionalDouble misses) {
        Slo slo = Slo.parse("ttft:250");
        Curve curve = new Curve(0.95, new Found(meets, estimate, misses, "stopped"), List.of(), List.of(), 1,
                Optional.empty());
        try (Journal journal = Journal.open(files.directory(), InstantSource.system())) {
            LoadFinding.take(files, journal,
                    new LoadFinding.Searched("http://h", slo, new ArrivalLaw.Poisson(), 1, curve),
                    Progress.SILENT);
        }
    }

    private static OptionalDouble at(double load) {
        return OptionalDouble.of(load);
    }

    private List<EvidenceRef> evidence() {
        return State.of(Journal.read(files.directory())).evidence();
    }

    @Test
    void theCrossingGivesThePoints() {
        take(at(8), at(10), at(11));
        assertThat(files.seeksLoadPoints()).isFalse();
        assertThat(files.proposal().loadPoints()).containsExactly(5.0, 8.0, 12.5, 16.0);
        assertThat(files.proposal().objective().loadPoints()).containsExactly(16.0);
        assertThat(Lint.check(files.proposal()).refusals()).noneMatch(r -> r.contains("load_points"));
        assertThat(evidence()).singleElement().satisfies(e -> {
            assertThat(e.kind()).isEqualTo(Evidence.CURVE);
            assertThat(files.evidence().read(e)).isNotEmpty();
        });
    }

    /** A fit that lies outside what was shown does not count against it. */
    @Test
    void theCrossingStaysWithinTheBracket() {
        take(at(20), at(10), at(22));
        assertThat(files.proposal().loadPoints()).containsExactly(10.0, 16.0, 25.0, 32.0);
    }

    @Test
    void withoutAFitItIsTheMiddleOfTheBracket() {
        take(at(8), OptionalDouble.empty(), at(12.5));
        assertThat(files.proposal().loadPoints()).containsExactly(5.0, 8.0, 12.5, 16.0);
    }

    @Test
    void halfABracketIsRefusedAndKept() {
        assertThatThrownBy(() -> take(at(8), OptionalDouble.empty(), OptionalDouble.empty()))
                .isInstanceOf(AssayException.class).hasMessageContaining(
                        "was not bracketed: 8.00/s was shown to meet it, no load to miss it (stopped); change the slo");
        assertThat(files.seeksLoadPoints()).isTrue();
        assertThat(evidence()).hasSize(1);
    }
}
