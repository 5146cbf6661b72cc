"""Losses that LossTest holds the decoder against: float64 NumPy straight from the GGUF file, no cache.

    python3 loss_reference.py model/assay-18m-bf16.gguf validation-1.jsonl

Prints the mean loss in nats per token of each of the eight contexts of 256 tokens (255 predictions each) of block 0.
"""
import json, math, struct, sys
import numpy as np

data = open(sys.argv[1], "rb").read()
at = 24
tensors, meta = struct.unpack_from("<QQ", data, 8)
SIZE = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


def text():
    global at
    (n,) = struct.unpack_from("<Q", data, at)
    at += 8 + n
    return data[at - n:at].decode()


def skip(kind):
    global at
    if kind == 8:
        text()
    elif kind == 9:
        of, n = struct.unpack_from("<IQ", data, at)
        at += 12
        for _ in range(n):
            skip(of)
    else:
        at += SIZE[kind]


for _ in range(meta):
    text()
    (kind,) = struct.unpack_from("<I", data, at)
    at += 4
    skip(kind)
infos = []
for _ in range(tensors):
    name = text()
    (dims,) = struct.unpack_from("<I", data, at)
    shape = struct.unpack_from(f"<{dims}Q", data, at + 4)
    kind, offset = struct.unpack_from("<IQ", data, at + 4 + 8 * dims)
    at += 16 + 8 * dims
    infos.append((name, shape[::-1], kind, offset))
start = -(-at // 32) * 32
w = {}
for name, shape, kind, offset in infos:
    n = math.prod(shape)
    if kind == 0:
        v = np.frombuffer(data, "<f4", n, start + offset)
    else:
        v = (np.frombuffer(data, "<u2", n, start + offset).astype(np.uint32) << 16).view(np.float32)
    w[name] = v.astype(np.float64).reshape(shape)

HEADS, KV, HEAD, LAYERS = 6, 2, 64, 10


def norm(x, g):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * g


def rope(x):
    angle = np.arange(x.shape[0])[:, None] * 10000.0 ** (-2 * np.arange(HEAD // 2) / HEAD)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    out[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return out


def loss(ids):
    h = w["token_embd.weight"][ids]
    t = len(ids)
    mask = np.triu(np.full((t, t), -np.inf), 1)
    for i in range(LAYERS):
        g = lambda n: w[f"blk.{i}.{n}.weight"]
        x = norm(h, g("attn_norm"))
        q = rope((x @ g("attn_q").T).reshape(t, HEADS, HEAD))
        k = rope((x @ g("attn_k").T).reshape(t, KV, HEAD))
        v = (x @ g("attn_v").T).reshape(t, KV, HEAD)
        o = np.empty_like(q)
        for n in range(HEADS):
            m = n // (HEADS // KV)
            s = q[:, n] @ k[:, m].T / 8 + mask
            s = np.exp(s - s.max(-1, keepdims=True))
            o[:, n] = s / s.sum(-1, keepdims=True) @ v[:, m]
        h = h + o.reshape(t, -1) @ g("attn_output").T
        x = norm(h, g("ffn_norm"))
        a = x @ g("ffn_gate").T
        h = h + (a / (1 + np.exp(-a)) * (x @ g("ffn_up").T)) @ g("ffn_down").T
    z = (norm(h, w["output_norm.weight"]) @ w["token_embd.weight"].T)[:-1]
    z = z - z.max(-1, keepdims=True)
    return float((np.log(np.exp(z).sum(-1)) - z[np.arange(t - 1), ids[1:]]).mean())


ids = json.loads(open(sys.argv[2]).readline())["ids"]
losses = [round(loss(np.array(ids[i:i + 256])), 6) for i in range(0, 2048, 256)]
print(json.dumps({"made_by": "loss_reference.py", "nats_per_token": losses}))
