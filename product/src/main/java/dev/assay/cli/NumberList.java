package dev.assay.cli;

import dev.assay.AssayException;
import java.util.Arrays;
import java.util.List;

/** Options that take several numbers, such as {@code 1,2,4}. */
final class NumberList {
    private NumberList() {}

    /** The numbers of an option's text, each above 0 and at most {@code most}; anything else is misuse. */
    static List<Double> of(String option, String text, double most) {
        try {
            List<Double> numbers = Arrays.stream(text.split(",")).map(Double::valueOf).toList();
            if (!numbers.isEmpty() && numbers.stream().allMatch(n -> n > 0 && n <= most)) {
                return numbers;
            }
        } catch (NumberFormatException e) {
            // Said below, with what was expected.
        }
        throw AssayException.misuse(option + " is '" + text + "'; expected numbers above 0 such as 1,2,4");
    }
}
