package dev.assay.cli;

/** The entry point of the command line. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        System.out.println("assay");
    }
}
