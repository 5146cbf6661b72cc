package dev.assay.forecast;

import dev.assay.AssayException;
import dev.assay.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The accelerators of {@code hardware.tsv}, each with the source and the date of its figures. */
public final class HardwareTable {
    private static final int COLUMNS = 16;
    private static final Map<String, Hardware> BY_NAME = new HashMap<>();
    private static final List<Hardware> ROWS = read();

    private HardwareTable() {}

    /** All rows, in the order of the table. */
    public static List<Hardware> rows() {
        return ROWS;
    }

    /** The row of a name such as {@code h100_sxm} or {@code H100-SXM}, if there is one. */
    public static Optional<Hardware> find(String name) {
        return Optional.ofNullable(BY_NAME.get(key(name)));
    }

    /** The row of a name; an unknown one is a fault that lists the known ones. */
    public static Hardware named(String name) {
        return find(name).orElseThrow(() -> AssayException.misuse("hardware '" + name
                + "' is not in the table; expected one of "
                + String.join(", ", ROWS.stream().map(Hardware::name).toList())));
    }

    private static String key(String name) {
        return name.strip().toLowerCase(Locale.ROOT).replaceAll("[ -]+", "_");
    }

    private static List<Hardware> read() {
        return Resources.table(HardwareTable.class, "hardware.tsv", COLUMNS).stream().map(HardwareTable::row)
                .toList();
    }

    private static Hardware row(String[] c) {
        if (!c[8].equals("dense") || !c[11].equals("one-way")) {
            throw new IllegalStateException(
                    "hardware.tsv: expected dense peaks and one-way links of " + c[0]);
        }
        Hardware hardware = new Hardware(c[0], Double.parseDouble(c[2]),
                c[3].equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(c[3])),
                Double.parseDouble(c[4]), optional(c[5]), optional(c[6]), optional(c[7]),
                Double.parseDouble(c[9]), c[10], Integer.parseInt(c[12]), c[13], c[14],
                c[15].equals("-") ? Optional.empty() : Optional.of(c[15]));
        BY_NAME.put(key(c[0]), hardware);
        for (String alias : c[1].split(",", -1)) {
            BY_NAME.put(key(alias), hardware);
        }
        return hardware;
    }

    private static OptionalDouble optional(String cell) {
        return cell.equals("-") ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(cell));
    }
}
