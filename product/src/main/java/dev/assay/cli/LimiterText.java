package dev.assay.cli;

import dev.assay.forecast.Limiter;
import dev.assay.forecast.LimiterForecast;
import java.util.Locale;

/** A limiter with its runner-up in words. */
final class LimiterText {
    private LimiterText() {}

    static String of(LimiterForecast l) {
        return String.format(Locale.ROOT, "%s %.0f %%, then %s %.0f %%", name(l.limiter()), 100 * l.share(),
                name(l.runnerUp()), 100 * l.runnerUpShare());
    }

    private static String name(Limiter limiter) {
        return limiter.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
