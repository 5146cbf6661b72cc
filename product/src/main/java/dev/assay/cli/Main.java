package dev.assay.cli;

import dev.assay.AssayException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** The entry point of the command line: parses, runs one command, and maps what went wrong to an exit code. */
@Command(name = "assay", mixinStandardHelpOptions = true, versionProvider = Main.Version.class, header = "Reviews a change to an LLM serving system, from sealed prediction to decision record.", synopsisSubcommandLabel = "COMMAND", usageHelpAutoWidth = true, footer = {
        "",
        "Exit codes: 0 done, 1 verdict against the change, 2 misuse, 3 invalid or insufficient evidence,"
                + " 4 environment fault.",
        "", "Start here:  assay demo --quick"})
public final class Main {
    private static final List<Class<?>> COMMANDS = List.of(DemoCommand.class, NewCommand.class,
            LintCommand.class, PredictCommand.class, SealCommand.class, MeasureCommand.class,
            QualityCommand.class, DecideCommand.class, VerifyCommand.class, ShowCommand.class,
            LedgerCommand.class, EngineCommand.class, LoadCommand.class, CurveCommand.class,
            CompareCommand.class, ForecastCommand.class, TwinCommand.class, BenchCommand.class,
            NullServerCommand.class);

    private Main() {}

    /** Runs and exits. */
    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8), args));
    }

    /** Runs one command line; what tests call. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = new CommandLine(new Main());
        commands(args).forEach(line::addSubcommand);
        line.setOut(out);
        line.setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(Main::misuse);
        line.setExecutionExceptionHandler(Main::fault);
        int code = line.execute(args.length == 0 ? new String[]{"--help"} : args);
        out.flush();
        err.flush();
        return code;
    }

    /** The command that is called; all of them, for their help or a likely name, where none of them is. */
    private static List<Class<?>> commands(String... args) {
        // Reading the options of all commands costs as much time as most commands take.
        List<Class<?>> called = COMMANDS.stream().filter(c -> args.length > 0
                && c.getAnnotation(Command.class).name().equals(args[0])).toList();
        return called.isEmpty() ? COMMANDS : called;
    }

    private static int misuse(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        command.getErr().println("assay: " + oneLine(String.valueOf(e.getMessage())) + " (see '"
                + command.getCommandSpec().qualifiedName() + " --help')");
        return Exit.MISUSE;
    }

    private static int fault(Exception e, CommandLine command, CommandLine.ParseResult parsed)
            throws Exception {
        if (e instanceof AssayException fault) {
            command.getErr().println("assay: " + oneLine(String.valueOf(fault.getMessage())));
            return switch (fault.kind()) {
                case MISUSE -> Exit.MISUSE;
                case EVIDENCE -> Exit.EVIDENCE;
                case ENVIRONMENT -> Exit.ENVIRONMENT;
            };
        }
        command.getErr().println("assay: internal error, please report it: " + oneLine(e.toString())
                + " (ASSAY_DEBUG=1 shows where)");
        if (System.getenv("ASSAY_DEBUG") != null) {
            Arrays.stream(e.getStackTrace()).forEach(frame -> command.getErr().println("  at " + frame));
        }
        return Exit.ENVIRONMENT;
    }

    private static String oneLine(String message) {
        return message.replaceAll("\\R+", " ").strip();
    }

    /** The version from the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[]{"assay " + (version == null ? "(unpackaged)" : version)};
        }
    }
}
