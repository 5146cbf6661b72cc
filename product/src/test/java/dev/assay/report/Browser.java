package dev.assay.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium that opens one file and tells what it did: console, network, sizes. */
final class Browser implements AutoCloseable {
    private static final List<String> PLACES = List.of("/usr/bin/chromium", "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** The browser of this machine, empty where there is none. */
    static Optional<Path> binary() {
        return PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
    }

    static Browser start(Path binary, Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(binary.toString());
        options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--allow-file-access-from-files", "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile()).usingAnyFreePort().build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.driver.get("about:blank");
        // The browser's own start page loads its parts before this and has nothing to do with the record.
        browser.requests();
        browser.console();
        return browser;
    }

    /** Opens the file in a window of that size, light or dark. */
    void open(Path file, int width, int height, String scheme) {
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand("Emulation.setEmulatedMedia",
                Map.of("media", "", "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        driver.get(file.toUri().toString());
    }

    /** Opens the file as it would be printed on paper of that width. */
    void print(Path file, int width) {
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 1000, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "print"));
        driver.get(file.toUri().toString());
    }

    long number(String expression) {
        return Long.parseLong(String.valueOf(driver.executeScript("return Math.round(" + expression + ")")));
    }

    String text(String expression) {
        return String.valueOf(driver.executeScript("return String(" + expression + ")"));
    }

    /** What the console said since the last call. */
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::getMessage)
                .toList();
    }

    /** Requests since the last call, but for the file itself and data inside it. */
    List<String> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream().map(LogEntry::getMessage)
                .filter(m -> m.contains("\"Network.requestWillBeSent\"")
                        && m.contains("\"documentURL\":\"file:"))
                .filter(m -> !m.contains("\"url\":\"file:") && !m.contains("\"url\":\"data:"))
                .map(m -> m.substring(m.indexOf("\"url\":\""),
                        Math.min(m.length(), m.indexOf("\"url\":\"") + 200)))
                .toList();
    }

    /** A picture of the window, scrolled to the element of that id; only where a directory is asked for. */
    void picture(String name, String anchor) throws IOException {
        String dir = System.getProperty("assay.screenshots", "");
        if (dir.isEmpty()) {
            return;
        }
        driver.executeScript("document.documentElement.style.scrollBehavior = 'auto';"
                + "const e = document.getElementById(arguments[0]); e ? e.scrollIntoView() : window.scrollTo(0, 0)",
                anchor);
        Files.createDirectories(Path.of(dir));
        Files.write(Path.of(dir, name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
