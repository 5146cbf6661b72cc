package dev.assay.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Event streams as servers send them: those of the reference's list and those of each interface. */
final class Streams {
    static final String ROLE = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
    static final String DONE = "data: [DONE]\n\n";

    private Streams() {}

    static String delta(String field, String text) {
        return "data: {\"id\":\"c1\",\"created\":1,\"choices\":[{\"index\":0,\"delta\":{\"" + field + "\":\""
                + text
                + "\"},\"finish_reason\":null}]}\n\n";
    }

    static String usage(int prompt, int completion) {
        return "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" + prompt + ",\"completion_tokens\":"
                + completion
                + ",\"prompt_tokens_details\":{\"cached_tokens\":2}}}\n\n";
    }

    static String counted(String text, int completion) {
        return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text
                + "\"}}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":" + completion + "}}\n\n";
    }

    private static String body(String... events) {
        return String.join("", events);
    }

    /** Streams of the chat interface by name. */
    static String chat(String name) {
        return Optional.ofNullable(chat().get(name)).orElseThrow();
    }

    static Map<String, String> chat() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("role-only delta first", body(ROLE, delta("content", "a"), delta("content", "b"), DONE));
        all.put("usage-only last chunk",
                body(delta("content", "a"), delta("content", "b"), usage(9, 2), DONE));
        all.put("reasoning, then content",
                body(ROLE, delta("reasoning_content", "hm"), delta("reasoning", "so"), delta("content", "a"),
                        usage(9, 3), DONE));
        all.put("comments", body(": ping\n\n", ":\n", delta("content", "a"), ": ping\n\n: ping\n",
                delta("content", "b"), ":", "\n", DONE));
        all.put("CRLF", body(": ping\n\n", delta("content", "a"), delta("content", "\\n"), usage(9, 2), DONE)
                .replace("\n", "\r\n"));
        all.put("CR", body(delta("content", "a"), delta("content", "b"), DONE).replace('\n', '\r'));
        all.put("byte order mark and joined lines",
                body("\uFEFF", delta("content", "a").replace(",\"choices\"", ",\ndata:\"choices\""),
                        "id: 7\nretry: 10\nevent: message\n", delta("content", "\u00e9\\u00e9\ud83d\ude00"),
                        DONE));
        all.put("zero tokens", body(ROLE, usage(9, 0), DONE));
        all.put("early end without usage", body(delta("content", "a"),
                "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n", DONE));
        all.put("one token", body(delta("content", "a"), usage(9, 1), DONE));
        all.put("bundled and textless tokens with running usage",
                body(counted("", 0), counted("ab", 2), counted("", 3), counted("", 3), counted("c", 7),
                        usage(5, 7),
                        DONE));
        all.put("tool calls",
                body(ROLE,
                        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\"}}]}}]}\n\n",
                        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{}\"}}]}}]}\n\n",
                        usage(9, 2), DONE));
        all.put("done twice", body(delta("content", "a"), DONE, DONE));
        all.put("no blank line behind done", body(delta("content", "a"), "data: [DONE]"));
        all.put("cut", body(delta("content", "a"), "data: {\"choices\":[{\"del"));
        all.put("error event", body(delta("content", "a"), "event: error\ndata: out of memory\n\n"));
        all.put("error data",
                body(delta("content", "a"), "data: {\"error\":{\"message\":\"no\"}}\n\n", DONE));
        all.put("given up", body(delta("content", "a"),
                "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"abort\"}]}\n\n", DONE));
        all.put("malformed JSON", body(delta("content", "a"), "data: {\"choices\":[}\n\n", DONE));
        return all;
    }

    /** The stream as one response: in chunks of this many bytes, or with its length where the number is 0. */
    static byte[] response(String body, int chunk) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
                + "content-type: Text/Event-Stream; charset=utf-8\r\n";
        Bytes out = new Bytes();
        append(out, head + (chunk == 0
                ? "Content-Length: " + bytes.length + "\r\n\r\n"
                : "Transfer-Encoding: chunked\r\n\r\n"));
        if (chunk == 0) {
            out.append(bytes, 0, bytes.length);
        } else {
            for (int at = 0; at < bytes.length; at += chunk) {
                int length = Math.min(bytes.length - at, chunk);
                append(out, Integer.toHexString(length) + ";x=y\r\n");
                out.append(bytes, at, length);
                append(out, "\r\n");
            }
            append(out, "0\r\nTrailer: t\r\n\r\n");
        }
        return Arrays.copyOf(out.array, out.length);
    }

    private static void append(Bytes out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.append(bytes, 0, bytes.length);
    }
}
