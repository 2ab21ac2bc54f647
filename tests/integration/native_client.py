# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""A second client of the native protocol, written from docs/wire-protocol.md alone: what it can do,
a client in any language can. Standard library only."""

import socket
import struct

MAGIC = 0x4B534E50
HELLO, WELCOME, OPEN, OPENED, REFUSED, CREDIT, FRAME, CLOSE, CLOSED, GOODBYE = range(1, 11)
KINDS = {"raw": 0, "imu": 1, "velodyne_vlp16": 2, "bayer_rg8": 16, "bayer_gr8": 17, "bayer_gb8": 18,
         "bayer_bg8": 19, "uyvy": 32}


def _table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = _table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def header(kind, stream=0, payload_bytes=0, *, magic=MAGIC, version=1, flags=0, payload_crc=0,
           sequence=0, sensor_time_ns=0, unsent=0, reserved=bytes(12), header_crc=None):
    """The 64 bytes before a message; every field can be given a wrong value."""
    head = struct.pack("<IBBHIIQQqQ12s", magic, version, kind, flags, stream, payload_crc,
                       payload_bytes, sequence, sensor_time_ns, unsent, reserved)
    return head + struct.pack("<I", crc32c(head) if header_crc is None else header_crc)


def message(kind, stream=0, payload=b"", **fields):
    return header(kind, stream, len(payload), **fields) + payload


class Ended(Exception):
    """The server said goodbye, or closed the connection (then `code` is None)."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code, self.text = code, text


class NativeClient:
    def __init__(self, port, host="127.0.0.1", hello=True):
        self.socket = socket.create_connection((host, port), timeout=30)
        self.credit = {}
        self.sent = {}
        if hello:
            self.send(message(HELLO, payload=struct.pack("<HHI", 1, 1, 0)))
            self.expect(WELCOME)

    def send(self, data):
        self.socket.sendall(data)

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise Ended(None, "closed")
            data += part
        return data

    def receive(self):
        """The next message: (type, stream, payload). Checks the header as a client should."""
        head = self._exactly(64)
        magic, version, kind, _, stream, _, length = struct.unpack_from("<IBBHIIQ", head)
        assert (magic, version) == (MAGIC, 1)
        assert crc32c(head[:60]) == struct.unpack_from("<I", head, 60)[0]
        payload = self._exactly(length)
        if kind == GOODBYE:
            code, size = struct.unpack_from("<HH", payload)
            raise Ended(code, payload[4:4 + size].decode())
        if kind == CREDIT:
            self.credit[stream] = struct.unpack("<Q", payload)[0]
        return kind, stream, payload

    def expect(self, kind):
        while True:
            got, _, payload = self.receive()
            if got == kind:
                return payload
            assert got == CREDIT, f"message of type {got}, {kind} was expected: {payload!r}"

    def open(self, stream, name, max_frame_bytes, kind="raw", width=0, height=0, slots=0):
        """Opens a stream; True, or the text of the refusal."""
        self.send(message(OPEN, stream, open_payload(name, max_frame_bytes, kind, width, height, slots)))
        self.sent[stream] = 0
        while True:
            got, _, payload = self.receive()
            if got == OPENED:
                return True
            if got == REFUSED:
                return payload[4:].decode()

    def wait_for_credit(self, stream):
        while self.sent[stream] >= self.credit.get(stream, 0):
            self.receive()

    def frame(self, stream, payload, crc=False, **fields):
        self.wait_for_credit(stream)
        if crc:
            fields |= {"flags": 1, "payload_crc": fields.get("payload_crc", crc32c(payload))}
        fields.setdefault("sequence", self.sent[stream])
        self.send(message(FRAME, stream, payload, **fields))
        self.sent[stream] += 1

    def close_stream(self, stream, unsent=0):
        """(received, crc_mismatches) as the server counted them."""
        self.send(message(CLOSE, stream, struct.pack("<QQ", self.sent[stream], unsent)))
        return struct.unpack("<QQ", self.expect(CLOSED))

    def goodbye(self):
        self.send(message(GOODBYE, payload=struct.pack("<HH", 0, 0)))
        self.socket.close()

    def drop(self):
        """Gone without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def open_payload(name, max_frame_bytes, kind="raw", width=0, height=0, slots=0, *, name_bytes=None):
    encoded = name.encode() if isinstance(name, str) else name
    number = KINDS[kind] if isinstance(kind, str) else kind
    return struct.pack("<HHIQII", number, len(encoded) if name_bytes is None else name_bytes, slots,
                       max_frame_bytes, width, height) + encoded
