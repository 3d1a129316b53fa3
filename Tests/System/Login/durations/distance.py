# SPDX-License-Identifier: Apache-2.0
# A distant server: a proxy in front of the real one that delays what passes, in each direction.
import asyncio
import threading


class End(asyncio.Protocol):
    """One end of a connection through the proxy; what it receives goes to `other`, late."""

    def __init__(self, delay):
        self.delay, self.waiting, self.other = delay, [], None

    def connection_made(self, transport):
        self.transport = transport
        self.loop = asyncio.get_running_loop()
        # Its handshake with this machine took no time; over the distance it takes a round trip.
        self.ready = self.loop.time() + 2 * self.delay

    def data_received(self, data):
        self.pass_on(lambda: self.other.transport.write(data))

    def connection_lost(self, error):
        self.pass_on(lambda: self.other.transport.close())

    def pass_on(self, act):
        when = max(self.loop.time(), self.ready) + self.delay
        self.loop.call_at(when, lambda: act() if self.other else self.waiting.append(act))

    def join(self, other):
        self.other = other
        for act in self.waiting:
            act()


class Distance:
    """Listens on `port` of 127.0.0.1 and forwards to the port `upstream` there, as if the server were half of
    `round_trip` seconds away. Used by `with`; `connections` counts those that were made."""

    def __init__(self, port, upstream, round_trip):
        self.port, self.upstream, self.delay = port, upstream, round_trip / 2
        self.connections = 0

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.call(self.listen())
        return self

    def __exit__(self, *_):
        self.server.close()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    async def listen(self):
        self.server = await self.loop.create_server(self.accepted, "127.0.0.1", self.port)

    def accepted(self):
        self.connections += 1
        near = End(self.delay)
        self.loop.create_task(self.connect(near))
        return near

    async def connect(self, near):
        _, far = await self.loop.create_connection(lambda: End(self.delay), "127.0.0.1", self.upstream)
        far.ready = 0
        far.join(near)
        near.join(far)
