package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Energy from made powercap trees and exporter pages; expected joules worked by hand. */
class EnergyMeterTest {
    @TempDir
    Path root;

    private Path domain(String path, String name, long energy, long range) throws IOException {
        Path dir = Files.createDirectories(root.resolve(path));
        Files.writeString(dir.resolve("name"), name + "\n");
        Files.writeString(dir.resolve("max_energy_range_uj"), range + "\n");
        return energy(dir, energy);
    }

    private static Path energy(Path dir, long value) throws IOException {
        Files.writeString(dir.resolve("energy_uj"), value + "\n");
        return dir;
    }

    @Test
    void packagesOnlyAndTheirWrapAroundTwice() throws IOException {
        Path zero = domain("intel-rapl:0", "package-0", 9_000_000, 10_000_000);
        Path one = domain("intel-rapl:1", "package-1", 100, 10_000_000);
        Path core = domain("intel-rapl:0:0", "core", 0, 10_000_000);
        Path psys = domain("intel-rapl:2", "psys", 0, 10_000_000);
        Path mmio = domain("intel-rapl-mmio:0", "package-0", 0, 10_000_000);
        EnergyMeter meter = EnergyMeter.rapl(root);
        meter.read();
        for (long value : new long[]{2_000_000, 8_000_000, 1_000_000}) {
            energy(zero, value);
            energy(one, 500_100);
            energy(core, value);
            energy(psys, value);
            energy(mmio, value);
            meter.read();
        }
        // Package 0: 3 J to behind the first wrap, 6 J, 3 J behind the second; package 1: 0.5 J.
        EnergyRecord record = meter.record();
        assertThat(record.joules().orElseThrow()).isCloseTo(12.5, within(1e-9));
        assertThat(record.parts()).containsOnlyKeys("intel-rapl:0 package-0", "intel-rapl:1 package-1");
        assertThat(record.updates()).isEqualTo(3);
        assertThat(record.source()).contains(root.toString());
    }

    @Test
    void whatCannotBeReadIsAbsentWithTheFile() throws IOException {
        Path zero = domain("intel-rapl:0", "package-0", 1, 10);
        Files.delete(zero.resolve("energy_uj"));
        EnergyMeter unreadable = EnergyMeter.rapl(root);
        unreadable.read();
        unreadable.read();
        assertThat(unreadable.record().joules()).isEmpty();
        assertThat(unreadable.record().absent().orElseThrow()).contains("intel-rapl:0/energy_uj")
                .contains("root");
        EnergyMeter none = EnergyMeter.rapl(root.resolve("nowhere"));
        none.read();
        assertThat(none.record().absent().orElseThrow()).contains("shows no RAPL");
        Files.writeString(zero.resolve("energy_uj"), "5\n");
        EnergyMeter still = EnergyMeter.rapl(root);
        still.read();
        still.read();
        assertThat(still.record().absent()).hasValue("the counters did not move");
    }

    private static MetricsSnapshot page(double seconds, String text) {
        return new MetricsSnapshot((long) (seconds * 1e9), MetricsText.parse(text));
    }

    private static EnergyRecord dcgm(Map<String, String> labels, MetricsSnapshot... pages) {
        DcgmMeter meter = new DcgmMeter(URI.create("http://127.0.0.1:9400/metrics"), labels);
        List.of(pages).forEach(meter::add);
        return meter.record();
    }

    private static final String TWO = """
            # TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter
            DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="0",UUID="GPU-a",Hostname="h"} %s
            DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="1",UUID="GPU-b",Hostname="h"} %s
            """;

    @Test
    void millijoulesOfEachGpuAndOfOneByItsLabel() {
        MetricsSnapshot[] pages = {page(0, TWO.formatted("1000000", "5000")),
                page(1, TWO.formatted("1300000", "6000")), page(2, TWO.formatted("1700000", "7500"))};
        EnergyRecord both = dcgm(Map.of(), pages);
        assertThat(both.joules().orElseThrow()).isCloseTo(702.5, within(1e-9));
        assertThat(both.parts()).containsEntry("GPU-a", 700.0).containsEntry("GPU-b", 2.5);
        assertThat(both.source()).contains("9400").contains("TOTAL_ENERGY");
        assertThat(dcgm(Map.of("gpu", "1"), pages).joules()).hasValue(2.5);
    }

    @Test
    void slicesOfOneBoardAreNotAdded() {
        String mig = """
                DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="0",UUID="GPU-a",GPU_I_ID="1"} %1$s
                DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="0",UUID="GPU-a",GPU_I_ID="2"} %1$s
                """;
        assertThat(dcgm(Map.of(), page(0, mig.formatted("0")), page(1, mig.formatted("4000")),
                page(2, mig.formatted("9000"))).joules()).hasValue(9.0);
    }

    @Test
    void wattsByTrapezoidsWhereThereIsNoCounter() {
        String power = "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\"} %s\n";
        // 100 to 300 W in 2 s is 400 J, 300 to 200 W in 1 s is 250 J.
        EnergyRecord record = dcgm(Map.of(), page(0, power.formatted("100")), page(2, power.formatted("300")),
                page(3, power.formatted("200")));
        assertThat(record.joules().orElseThrow()).isCloseTo(650, within(1e-9));
        assertThat(record.source()).contains("trapezoids");
    }

    @Test
    void aResetAndAnExporterTooSlowForTheSlotAreAbsent() {
        assertThat(dcgm(Map.of(), page(0, TWO.formatted("9000", "1")), page(1, TWO.formatted("9500", "2")),
                page(2, TWO.formatted("100", "3"))).absent().orElseThrow()).contains("GPU-a")
                .contains("fell");
        assertThat(dcgm(Map.of(), page(0, TWO.formatted("1", "1")), page(5, TWO.formatted("1", "1")),
                page(10, TWO.formatted("9", "9"))).absent().orElseThrow()).contains("changed 1 times")
                .contains("collect-interval");
        assertThat(dcgm(Map.of(), page(0, "up 1\n"), page(1, "up 1\n")).absent().orElseThrow())
                .contains("neither");
    }

    @Test
    void joulesByTokenTakeTheGpusWhereTheyAreMetered() {
        Map<String, Double> values = new TreeMap<>(Map.of("generation_tokens", 200.0));
        Map<String, String> sources = new TreeMap<>(Map.of("generation_tokens", "t"));
        Map<String, String> absent = new TreeMap<>();
        EnergyRecord cpu = new EnergyRecord(EnergyRecord.Kind.CPU, "cpu", Optional.of(50.0), Optional.empty(),
                9, Map.of());
        EnergyRecord gpu = new EnergyRecord(EnergyRecord.Kind.GPU, "gpu", Optional.of(300.0),
                Optional.empty(),
                9, Map.of());
        EnergyAccount.add(List.of(cpu, gpu), values, sources, absent);
        assertThat(values).containsEntry("energy_joules", 300.0).containsEntry("cpu_energy_joules", 50.0)
                .containsEntry("joules_per_output_token", 1.5);
        assertThat(sources).containsEntry("energy_joules", "gpu").containsEntry("joules_per_output_token",
                "gpu / t");
        values.clear();
        EnergyRecord gone = EnergyRecord.absent(EnergyRecord.Kind.GPU, "gpu", "why");
        EnergyAccount.add(List.of(cpu, gone), values, sources, absent);
        assertThat(values).containsOnlyKeys("cpu_energy_joules");
        assertThat(absent).containsEntry("energy_joules", "why").containsEntry("joules_per_output_token",
                "why");
    }
}
