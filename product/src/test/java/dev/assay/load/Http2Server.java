package dev.assay.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP/2 server on a real socket, by Netty's server side; the script is called once for each whole request. */
final class Http2Server implements AutoCloseable {
    /** What is done with one request; called in the thread of the connections. */
    interface Script {
        void answer(Stream stream);
    }

    /** One request and its stream. */
    record Stream(int number, Http2Headers headers, int bodyBytes, ChannelHandlerContext context,
            Http2FrameStream id) {
        Stream head(String status, String... more) {
            Http2Headers all = new DefaultHttp2Headers().status(status);
            for (int i = 0; i < more.length; i += 2) {
                all.add(more[i], more[i + 1]);
            }
            var _ = context.writeAndFlush(new DefaultHttp2HeadersFrame(all, false).stream(id));
            return this;
        }

        Stream stream() {
            return head("200", "content-type", "text/event-stream");
        }

        Stream write(String text) {
            var _ = context.writeAndFlush(new DefaultHttp2DataFrame(
                    Unpooled.copiedBuffer(text, StandardCharsets.UTF_8), false).stream(id));
            return this;
        }

        Stream text(String piece) {
            return write("data: {\"choices\":[{\"index\":0,\"text\":\"" + piece + "\"}]}\n\n");
        }

        void end() {
            var _ = context.writeAndFlush(new DefaultHttp2DataFrame(true).stream(id));
        }

        void done() {
            write("data: [DONE]\n\n").end();
        }

        void reset(Http2Error error) {
            var _ = context.writeAndFlush(new DefaultHttp2ResetFrame(error).stream(id));
        }

        /** Says that no stream above this one is answered. */
        void goAway(int lastStream) {
            Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
            var _ = codec.goAway(context.pipeline().context(codec), lastStream, Http2Error.NO_ERROR.code(),
                    Unpooled.EMPTY_BUFFER, context.newPromise());
            context.flush();
        }

        void close() {
            var _ = context.close();
        }

        void later(long millis, Runnable task) {
            var _ = context.executor().schedule(task, millis, TimeUnit.MILLISECONDS);
        }
    }

    final AtomicInteger connections = new AtomicInteger();
    /** The error codes with which the client reset streams. */
    final List<Long> resets = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger requests = new AtomicInteger();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listener;
    private final boolean secure;

    Http2Server(Script script) {
        this(Integer.MAX_VALUE, Optional.empty(), script);
    }

    Http2Server(long maxStreams, Optional<SslContext> tls, Script script) {
        secure = tls.isPresent();
        listener = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.incrementAndGet();
                        tls.ifPresent(t -> channel.pipeline().addLast(t.newHandler(channel.alloc())));
                        channel.pipeline().addLast(Http2FrameCodecBuilder.forServer()
                                .initialSettings(
                                        Http2Settings.defaultSettings().maxConcurrentStreams(maxStreams))
                                .build(), new Requests(script));
                    }
                }).bind(InetAddress.getLoopbackAddress(), 0).syncUninterruptibly().channel();
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    Target target() {
        return Target.of((secure ? "https" : "http") + "://127.0.0.1:" + port(), "m")
                .withProtocol(Target.Protocol.HTTP_2);
    }

    @Override
    public void close() {
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Requests extends Http2ChannelDuplexHandler {
        private final Script script;
        private final Map<Http2FrameStream, Http2Headers> heads = new HashMap<>();
        private final Map<Http2FrameStream, Integer> bodies = new HashMap<>();

        Requests(Script script) {
            this.script = script;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            switch (message) {
                case Http2HeadersFrame head -> heads.put(head.stream(), head.headers());
                case Http2ResetFrame reset -> resets.add(reset.errorCode());
                case Http2DataFrame data -> {
                    bodies.merge(data.stream(), data.content().readableBytes(), Integer::sum);
                    var _ = context.write(new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes())
                            .stream(data.stream()));
                    if (data.isEndStream()) {
                        script.answer(new Stream(requests.getAndIncrement(),
                                Objects.requireNonNull(heads.remove(data.stream())),
                                bodies.merge(data.stream(), 0, Integer::sum), context, data.stream()));
                    }
                }
                default -> {
                }
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }
}
