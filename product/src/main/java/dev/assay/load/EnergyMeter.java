package dev.assay.load;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * Counts the energy of one slot. It is read at the slot's start and end and about once a second in between, by one
 * thread at a time.
 */
public sealed interface EnergyMeter permits DcgmMeter, RaplMeter {
    /** Where Linux shows RAPL. */
    Path POWERCAP = Path.of("/sys/class/powercap");

    /** The GPUs of a DCGM exporter's page whose series have all these labels; without labels all its GPUs. */
    static EnergyMeter dcgm(URI page, Map<String, String> labels) {
        return new DcgmMeter(page, labels);
    }

    /** The processor packages of this machine, by the powercap tree at {@code root}. */
    static EnergyMeter rapl(Path root) {
        return new RaplMeter(root);
    }

    /** Takes a reading. */
    void read();

    /** What was counted between the first and the last reading. */
    EnergyRecord record();
}
