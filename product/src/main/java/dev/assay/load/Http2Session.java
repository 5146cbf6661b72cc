package dev.assay.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The client's side of one HTTP/2 connection, from bytes to bytes: it has no socket, no thread and no clock.
 *
 * <p>It is Netty's frame codec, and the only class that knows Netty. The windows are as wide as the protocol lets them
 * be and are given back as data is read, so that this side never slows a server down.
 */
final class Http2Session {
    private static final int WINDOW = 1 << 30;
    private static final int HEADERS_LIMIT = 64 << 10;
    private static final int FIRST_OUT_BYTES = 4 << 10;
    private static final int SHOWN = 200;
    private static final UnpooledByteBufAllocator HEAP = new UnpooledByteBufAllocator(false, true);
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString CONTENT_ENCODING = AsciiString.cached("content-encoding");
    private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");

    /** What happens on a session; called while bytes are fed or a call is begun. */
    interface Listener {
        /** The server's settings came; −1 where they leave the number of streams as it is. */
        void settings(long maxStreams);

        /** A response's status and headers, empty where absent; interim ones too. */
        void head(Call call, int status, String contentType, String encoding);

        /** A part of a response's body. */
        void data(Call call, byte[] bytes, int from, int to);

        /** A response is over. */
        void ended(Call call);

        /** The server reset the stream; {@code refused} where it says that it did not begin with it. */
        void reset(Call call, boolean refused, String text);

        /** What came for a call is not HTTP/2. */
        void wrong(Call call, String text);

        /** The server is leaving and says that it will not answer this call. */
        void leaving(Call call);

        /** The server is leaving: it takes no more calls. */
        void leaving();

        /** The session is over, as what came is not HTTP/2. */
        void broken(String text);
    }

    /** What the requests of one target share. */
    static final class Request {
        private final Http2Headers headers = new DefaultHttp2Headers(false);

        Request(Target target) {
            headers.method("POST").scheme(target.secure() ? "https" : "http").path(target.path())
                    .authority(target.baseUrl().getHost() + ":" + target.port());
            headers.add(CONTENT_TYPE, "application/json").add("accept", "text/event-stream")
                    .add("accept-encoding", "identity").add("user-agent", "assay");
            target.sentHeaders().forEach(
                    h -> headers.add(AsciiString.of(h.name().toLowerCase(Locale.ROOT)), h.value()));
        }

        private Http2Headers of(Exchange exchange) {
            return new DefaultHttp2Headers(false).add(headers)
                    .add(REQUEST_ID, "Assay-Request-" + exchange.request.id())
                    .add(CONTENT_LENGTH, Integer.toString(exchange.bytes.remaining()));
        }
    }

    private final Request request;
    private final Listener listener;
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Http2FrameCodec codec;
    private final Frames frames = new Frames();
    private final Map<Http2FrameStream, Call> calls = new HashMap<>();
    private final Map<Call, Http2FrameStream> streams = new HashMap<>();
    private ByteBuffer out = ByteBuffer.allocate(FIRST_OUT_BYTES).limit(0);

    /** A session whose first bytes are ready to be written. */
    Http2Session(Request request, Listener listener) {
        this.request = request;
        this.listener = listener;
        // The guards against floods are for servers: here the time limit of each request bounds what a peer can cost.
        codec = Http2FrameCodecBuilder.forClient().autoAckSettingsFrame(true).autoAckPingFrame(true)
                .initialSettings(Http2Settings.defaultSettings().pushEnabled(false).initialWindowSize(WINDOW)
                        .maxHeaderListSize(HEADERS_LIMIT))
                .decoderEnforceMaxConsecutiveEmptyDataFrames(0).decoderEnforceMaxRstFramesPerWindow(0, 0)
                .encoderEnforceMaxRstFramesPerWindow(0, 0).gracefulShutdownTimeoutMillis(0).build();
        channel.config().setAllocator(HEAP);
        channel.pipeline().addLast(codec, frames);
        var _ = channel.writeAndFlush(new DefaultHttp2WindowUpdateFrame(WINDOW));
    }

    /** Sends the exchange of a call on a stream of its own. */
    void begin(Call call) {
        Http2FrameStream stream = frames.newStream();
        calls.put(stream, call);
        streams.put(call, stream);
        ByteBuffer body = call.exchange.bytes;
        ChannelFuture sent = channel
                .write(new DefaultHttp2HeadersFrame(request.of(call.exchange), false).stream(stream));
        var _ = channel
                .write(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(body.array(), body.arrayOffset(),
                        body.remaining()), true).stream(stream));
        channel.flush();
        Throwable cause = sent.cause();
        if (cause != null) {
            listener.wrong(call, "the request could not be sent: " + line(cause));
        }
    }

    /** Forgets a call; its stream is reset unless both sides ended it. */
    void forget(Call call) {
        Http2FrameStream stream = streams.remove(call);
        if (stream == null) {
            return;
        }
        calls.remove(stream);
        if (stream.state() != Http2Stream.State.CLOSED && channel.isOpen()) {
            var _ = channel.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(stream));
        }
    }

    /** Reads what the server sent. */
    void feed(byte[] bytes, int from, int to) {
        // The codec may keep an unfinished frame, so it gets its own copy.
        channel.writeInbound(HEAP.heapBuffer(to - from).writeBytes(bytes, from, to - from));
    }

    /** The bytes to write, as far as they are not written yet. */
    ByteBuffer output() {
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            int count = next.readableBytes();
            if (out.remaining() + count > out.capacity()) {
                out = ByteBuffer.allocate(Math.max(2 * out.capacity(), out.remaining() + count)).put(out)
                        .flip();
            } else if (out.capacity() - out.limit() < count) {
                out.compact().flip();
            }
            next.readBytes(out.array(), out.limit(), count);
            out.limit(out.limit() + count);
            next.release();
        }
        return out;
    }

    private static String line(Throwable cause) {
        String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        String text = message.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    /** Takes the frames that the codec read. */
    private final class Frames extends Http2ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Http2Exception {
            try {
                switch (message) {
                    case Http2DataFrame data -> data(data);
                    case Http2HeadersFrame head -> head(head);
                    case Http2ResetFrame reset -> reset(reset);
                    case Http2SettingsFrame settings -> {
                        Long most = settings.settings().maxConcurrentStreams();
                        listener.settings(most == null ? -1 : most);
                    }
                    case Http2GoAwayFrame away -> away(away);
                    default -> {
                    }
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void data(Http2DataFrame frame) throws Http2Exception {
            Http2FrameStream from = frame.stream();
            Http2Stream stream = from == null ? null : codec.connection().stream(from.id());
            if (stream != null && frame.initialFlowControlledBytes() > 0) {
                codec.connection().local().flowController().consumeBytes(stream,
                        frame.initialFlowControlledBytes());
            }
            Call call = calls.get(from);
            if (call == null) {
                return;
            }
            ByteBuf content = frame.content();
            int count = content.readableBytes();
            if (count > 0 && content.hasArray()) {
                int at = content.arrayOffset() + content.readerIndex();
                listener.data(call, content.array(), at, at + count);
            } else if (count > 0) {
                listener.data(call, ByteBufUtil.getBytes(content), 0, count);
            }
            if (frame.isEndStream()) {
                listener.ended(call);
            }
        }

        private void head(Http2HeadersFrame frame) {
            Call call = calls.get(frame.stream());
            if (call == null) {
                return;
            }
            CharSequence status = frame.headers().status();
            // Headers without a status are trailers.
            if (status != null) {
                listener.head(call, AsciiString.of(status).parseInt(), text(frame, CONTENT_TYPE),
                        text(frame, CONTENT_ENCODING));
            }
            if (frame.isEndStream()) {
                listener.ended(call);
            }
        }

        private static String text(Http2HeadersFrame frame, AsciiString name) {
            CharSequence value = frame.headers().get(name);
            return value == null ? "" : value.toString();
        }

        private void reset(Http2ResetFrame frame) {
            Call call = calls.get(frame.stream());
            if (call != null) {
                boolean refused = frame.errorCode() == Http2Error.REFUSED_STREAM.code();
                listener.reset(call, refused, (refused ? "the server refused the stream: " : "stream reset: ")
                        + name(frame.errorCode()));
            }
        }

        private static String name(long code) {
            Http2Error known = Http2Error.valueOf(code);
            return known == null ? "code " + code : known.name();
        }

        private void away(Http2GoAwayFrame frame) {
            listener.leaving();
            for (Map.Entry<Http2FrameStream, Call> entry : List.copyOf(calls.entrySet())) {
                if (entry.getKey().id() > frame.lastStreamId()) {
                    listener.leaving(entry.getValue());
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Call call = cause instanceof Http2FrameStreamException one ? calls.get(one.stream()) : null;
            if (call != null) {
                listener.wrong(call,
                        "not HTTP/2: " + line(cause.getCause() == null ? cause : cause.getCause()));
            } else if (!(cause instanceof Http2FrameStreamException)) {
                listener.broken(line(cause));
            }
        }
    }
}
