package dev.assay.scheduler;

/**
 * The pages with their reference counts and the order in which free ones are used again: pages without indexed content
 * first, then the least recently used. Where nobody asks which page is whose, they are only counted.
 */
final class PagePool {
    private final PrefixIndex index;
    private final int pages;
    private final boolean counted;
    private final int[] references;
    private final int[] next;
    private final int[] previous;
    /** The list's sentinel, one past the last page. */
    private final int end;
    private int free;
    private int cached;
    long allocations;
    long evictions;

    PagePool(int pages, PrefixIndex index, boolean counted) {
        this.index = index;
        this.pages = pages;
        this.counted = counted;
        int known = counted ? 0 : pages;
        references = new int[known];
        next = new int[known + 1];
        previous = new int[known + 1];
        end = pages;
        for (int i = 0; i <= known && !counted; i++) {
            next[i] = i == pages ? 0 : i + 1;
            previous[i] = i == 0 ? pages : i - 1;
        }
        free = pages;
    }

    int total() {
        return pages;
    }

    /** Pages that no sequence holds, cached ones included. */
    int free() {
        return free;
    }

    /** Pages that no sequence holds but whose content is indexed. */
    int cached() {
        return cached;
    }

    int references(int page) {
        return references[page];
    }

    /** Pages for one sequence behind the {@code held} ones of its table; the caller has checked that they are free. */
    void allocate(int[] table, int held, int count) {
        if (counted) {
            free -= count;
            allocations += count;
            return;
        }
        for (int i = 0; i < count; i++) {
            table[held + i] = allocate();
        }
    }

    /** Gives up all pages of a table, the last first, so that the end of a prefix is evicted before its beginning. */
    void release(int[] table, int held) {
        if (counted) {
            free += held;
            return;
        }
        for (int i = held - 1; i >= 0; i--) {
            release(table[i]);
        }
    }

    private int allocate() {
        if (free == 0) {
            throw new IllegalStateException("no free page");
        }
        int page = next[end];
        if (index.contains(page)) {
            index.remove(page);
            cached--;
            evictions++;
        }
        unlink(page);
        references[page] = 1;
        allocations++;
        return page;
    }

    /** One more holder of an indexed page. */
    void retain(int page) {
        if (references[page]++ == 0) {
            cached--;
            unlink(page);
        }
    }

    /** One holder fewer; a page without holder is free. */
    private void release(int page) {
        if (references[page] <= 0) {
            throw new IllegalStateException("page " + page + " is already free");
        }
        if (--references[page] > 0) {
            return;
        }
        if (index.contains(page)) {
            cached++;
            linkBefore(page, end);
        } else {
            linkBefore(page, next[end]);
        }
        free++;
    }

    /** Forgets all indexed content; pages that are held stay held. */
    void forgetContent() {
        index.clear();
        cached = 0;
    }

    private void unlink(int page) {
        next[previous[page]] = next[page];
        previous[next[page]] = previous[page];
        free--;
    }

    private void linkBefore(int page, int successor) {
        next[page] = successor;
        previous[page] = previous[successor];
        next[previous[successor]] = page;
        previous[successor] = page;
    }
}
