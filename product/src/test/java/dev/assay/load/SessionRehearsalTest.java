package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionRehearsalTest {
    /** Frames that the session does not take would rehearse its faults and not its answers. */
    @Test
    void everyCallIsAnsweredWithAllItsTokens() throws Exception {
        assertThat(SessionRehearsal.run(5)).containsExactly(8, 8, 8, 8, 8);
    }
}
