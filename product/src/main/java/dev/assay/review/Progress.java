package dev.assay.review;

/** Who is told how far a long step is. */
public interface Progress {
    /** A new step begins, in one line. */
    void step(String what);

    /** Where the step is: {@code done} from 0 to 1. */
    void at(String what, double done, double secondsLeft);

    /** The step is over. */
    void end();

    /** Nobody. */
    Progress SILENT = new Progress() {
        @Override
        public void step(String what) {}

        @Override
        public void at(String what, double done, double secondsLeft) {}

        @Override
        public void end() {}
    };
}
