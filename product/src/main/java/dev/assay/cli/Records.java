package dev.assay.cli;

import dev.assay.report.HtmlRecord;
import dev.assay.report.MarkdownRecord;
import dev.assay.review.ReviewFiles;
import dev.assay.review.ReviewView;
import dev.assay.review.Views;
import java.util.LinkedHashMap;
import java.util.Map;

/** The two files of a review's record, written from its view and held against it. */
final class Records {
    private Records() {}

    /** Renders both files of a view, by name. */
    static Map<String, String> render(ReviewView view) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(ReviewFiles.RECORD_MD, MarkdownRecord.render(view));
        files.put(ReviewFiles.RECORD_HTML, HtmlRecord.render(view));
        return files;
    }

    /** Writes both files. */
    static ReviewView write(ReviewFiles files) {
        ReviewView view = Views.of(files);
        render(view).forEach(files::write);
        return view;
    }
}
