package dev.assay.load.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlotSizeTest {
    @Test
    void whatIsAskedForIsGivenWithALeadInOfAQuarterOfAll() {
        SlotSize size = new SlotSize(4, 60);
        assertThat(size.requests(10, 130)).isEqualTo(174);
        assertThat(size.leadIn(174)).isEqualTo(44);
        // 4 s at 100/s, and 60 s at 1/s.
        assertThat(size.requests(100, 130)).isEqualTo(400);
        assertThat(size.requests(1, 130)).isEqualTo(60);
    }

    @Test
    void aLoadTooLowForTheFewestRequestsTakesLonger() {
        SlotSize size = new SlotSize(4, 15);
        assertThat(size.requests(0.1, 48)).isEqualTo(SlotSize.FEWEST);
        assertThat(size.slowLoad()).isEqualTo(8 / 15.0);
        // Between them no whole number of requests fits: 13 is more than 12.6.
        assertThat(new SlotSize(4.1, 4.2).requests(3, 48)).isEqualTo(12);
    }

    @Test
    void boundsHoldForAnyLoad() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 2000; i++) {
            double least = 10 * random.nextDouble();
            double most = least + 50 * random.nextDouble() + 1e-3;
            double load = Math.exp(12 * random.nextDouble() - 6);
            int wanted = 1 + random.nextInt(2000);
            SlotSize size = new SlotSize(least, most);
            int all = size.requests(load, wanted);
            assertThat(all).isGreaterThanOrEqualTo(SlotSize.FEWEST);
            assertThat(all == SlotSize.FEWEST || all <= load * most).isTrue();
            assertThat(all >= Math.floor(load * least) || all >= Math.floor(load * most)).isTrue();
            assertThat(all - size.leadIn(all)).isGreaterThanOrEqualTo(6);
            assertThat(load >= size.slowLoad()).isEqualTo(SlotSize.FEWEST / load <= most);
        }
    }

    @Test
    void impossibleBoundsAreRefused() {
        assertThatThrownBy(() -> new SlotSize(5, 4)).hasMessageContaining("expected 0 <= least <= most");
        assertThatThrownBy(() -> new SlotSize(0, 0)).hasMessageContaining("most above 0");
    }
}
