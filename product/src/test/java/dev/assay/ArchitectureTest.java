package dev.assay;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The layering of DESIGN.md as one table, and the rules that carry its meaning. */
class ArchitectureTest {
    private static final String ROOT = "dev.assay";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    /** What each package may import, besides itself and the root package with its {@link AssayException}. */
    private static final Map<String, Set<String>> ALLOWED = Map.ofEntries(
            Map.entry("", Set.of()),
            Map.entry("json", Set.of()),
            Map.entry("stats", Set.of()),
            Map.entry("scheduler", Set.of()),
            Map.entry("model", Set.of("json")),
            Map.entry("workload", Set.of("json", "stats")),
            Map.entry("engine", Set.of("json", "scheduler", "model")),
            Map.entry("forecast", Set.of("json", "stats", "workload", "scheduler", "model")),
            Map.entry("load", Set.of("json", "stats", "workload")),
            Map.entry("profile", Set.of("json", "stats")),
            Map.entry("quality", Set.of("json", "stats")),
            Map.entry("canary", Set.of("json", "stats", "workload")),
            Map.entry("fleet", Set.of("json", "stats", "workload")),
            Map.entry("value", Set.of("stats", "workload")),
            Map.entry("review",
                    Set.of("json", "stats", "model", "workload", "forecast", "load", "profile", "quality",
                            "canary", "fleet", "value")),
            // What a review exposes: its own types, and those of the phases that stand in them.
            Map.entry("report",
                    Set.of("review", "json", "stats", "workload", "forecast", "quality", "value")),
            Map.entry("web", Set.of("json", "review", "report")),
            Map.entry("cli",
                    Set.of("json", "stats", "scheduler", "model", "workload", "engine", "forecast", "load",
                            "profile", "quality", "canary", "fleet", "value", "review", "report", "web")));

    /** Clocks and random sources that nobody was given. */
    private static final Set<String> AMBIENT = Set.of("java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.time.Instant.now", "java.time.LocalDate.now", "java.time.LocalDateTime.now",
            "java.time.ZonedDateTime.now", "java.time.OffsetDateTime.now", "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone", "java.time.Clock.system", "java.lang.Math.random",
            "java.util.UUID.randomUUID", "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.random.RandomGenerator.getDefault");

    private static String packageOf(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1).split("\\.", -1)[0];
    }

    @Test
    void theTableHoldsEveryPackageAndEveryImport() {
        Set<String> faults = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            String from = packageOf(type);
            Set<String> allowed = ALLOWED.get(from);
            if (allowed == null) {
                faults.add("package " + from + " is not in the table");
                continue;
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().equals(ROOT) || target.getPackageName().startsWith(ROOT + ".")) {
                    String to = packageOf(target);
                    if (!to.equals(from) && !to.isEmpty() && !allowed.contains(to)) {
                        faults.add(from + " may not import " + to + ": " + dependency.getDescription());
                    }
                }
            }
        }
        assertThat(faults).as("imports that the table does not allow").isEmpty();
    }

    @Test
    void theClassesWereReallyImported() {
        assertThat(CLASSES.size()).isGreaterThan(150);
        assertThat(CLASSES.stream().map(ArchitectureTest::packageOf)).contains("", "json", "stats",
                "scheduler", "model",
                "workload", "engine", "forecast", "load", "quality", "value", "review", "report", "cli");
    }

    @Test
    void theMeasuringSideAndTheEngineNeverSeeEachOther() {
        assertThat(ALLOWED.get("load")).doesNotContain("engine");
        assertThat(ALLOWED.get("engine")).doesNotContain("load");
        assertThat(ALLOWED.get("review")).doesNotContain("engine", "scheduler");
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyJsonKnowsJackson() {
        noClasses().that().resideOutsideOfPackage(ROOT + ".json..")
                .should().dependOnClassesThat().resideInAnyPackage("tools.jackson..", "com.fasterxml..")
                .check(CLASSES);
    }

    @Test
    void onlyTheHttp2SessionKnowsNetty() {
        noClasses().that().haveNameNotMatching(".*\\.Http2Session(\\$.*)?")
                .should().dependOnClassesThat().resideInAPackage("io.netty..").check(CLASSES);
    }

    @Test
    void onlyTheEngineUsesTheVectorModule() {
        noClasses().that().resideOutsideOfPackage(ROOT + ".engine..")
                .should().dependOnClassesThat().resideInAPackage("jdk.incubator..").check(CLASSES);
    }

    @Test
    void onlyTheCommandLinePrints() {
        noClasses().that().resideOutsideOfPackage(ROOT + ".cli..").should().accessField(System.class, "out")
                .orShould().accessField(System.class, "err").orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(CLASSES);
    }

    @Test
    void doubtsAreValuesAndNeverLogLines() {
        noClasses().should().dependOnClassesThat(resideInAPackage("java.util.logging..")
                .or(resideInAPackage("org.slf4j.."))).orShould().dependOnClassesThat()
                .areAssignableTo(System.Logger.class)
                .check(CLASSES);
    }

    @Test
    void calculationsReadNoClockAndNoRandomSourceThatTheyWereNotGiven() {
        Set<String> faults = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (Set.of("stats", "scheduler", "forecast", "value", "review").contains(packageOf(type))) {
                type.getAccessesFromSelf().forEach(access -> {
                    String target = access.getTargetOwner().getName() + "." + access.getTarget().getName();
                    boolean seedless = access.getTargetOwner().getName().matches(
                            "java\\.util\\.(Random|SplittableRandom)|java\\.security\\.SecureRandom")
                            && access.getTarget().getName().equals("<init>")
                            && access.getDescription().contains("<init>()");
                    if (AMBIENT.contains(target) || seedless) {
                        faults.add(access.getDescription());
                    }
                });
            }
        }
        assertThat(faults).as("clocks and random sources must be parameters").isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<String> bare = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            // The template compiler writes no package-info; its classes belong to report.
            if (!type.getPackageName().startsWith(ROOT + ".report.page")
                    && !type.getPackage().isAnnotatedWith(NullMarked.class)) {
                bare.add(type.getPackageName());
            }
        }
        assertThat(bare).as("packages whose package-info lacks @NullMarked").isEmpty();
    }
}
