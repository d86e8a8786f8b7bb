#!/usr/bin/env python3
"""Records what PyPI's `ably` (a client that is not ours) sends for a channel publish and for a direct push.

Run it in an environment that has the client; nothing leaves the machine, the stand-in answers on loopback:

    python3 -m venv DIR && DIR/bin/pip install ably==3.1.4
    swift build --product ably-standin
    DIR/bin/python Tests/StandIn/record-pypi-ably.py .build/debug/ably-standin \\
        > Tests/PublishingTests/Fixtures/pypi-ably-requests.json

The requests are the worked examples of a basketball update: one message on a channel, the same to one device.
Of the credentials only the scheme is kept; the key is made up and useless anywhere.
"""
import asyncio
import json
import os
import re
import subprocess
import sys

DATA = {
    "event": "update", "gameId": "bb-20261205-riv-har", "homeTeam": "Riverton", "awayTeam": "Harbor City",
    "homeScore": "98", "awayScore": "99", "gameStatus": "live", "period": "Q4", "clock": "1:12",
    "lastPlay": "HAR #11 three-pointer", "clockDir": "down", "clockAnchorMs": "1796440620000", "seq": "412",
    "timestamp": "1796440548250", "staleAtMs": "1796440968000",
}
PUSH = {"data": DATA, "fcm": {"priority": "HIGH", "ttl": "180s"}}
CHANNEL = "live-android:bb-20261205-riv-har"
ID = "bb-20261205-riv-har-412-update:0"
DEVICE = "01JD8Z3T8Q4V6N2K9B5D7F1G0M"


async def send(port, key):
    from ably import AblyRest
    from ably.types.message import Message

    client = AblyRest(key, rest_host="127.0.0.1", tls_port=port, use_binary_protocol=False, fallback_hosts=[])
    channel = client.channels.get(CHANNEL)
    await channel.publish(Message(id=ID, name="live-update", extras={"push": PUSH}))
    await client.push.admin.publish({"deviceId": DEVICE}, PUSH)
    await client.close()


def main():
    tool = subprocess.Popen([sys.argv[1], "--any-client"], stdout=subprocess.PIPE, text=True)
    try:
        ready = re.match(r"READY port=(\d+) ca_file=(\S+) key=(\S+)", tool.stdout.readline())
        os.environ["SSL_CERT_FILE"] = ready[2]
        asyncio.run(asyncio.wait_for(send(int(ready[1]), ready[3]), 20))
        seen = [json.loads(tool.stdout.readline()) for _ in range(2)]
    finally:
        tool.terminate()
        tool.wait()
    for one in seen:
        if one["status"] >= 300:
            sys.exit(f"refused: {one}")
    from importlib.metadata import version

    requests = [
        {
            "method": one["method"], "target": one["target"], "content-type": one["content-type"],
            "accept": one["accept"], "authorization": one["authorization"], "body": one["body"],
        }
        for one in seen
    ]
    how = "Recorded by Tests/StandIn/record-pypi-ably.py; its head says how to do it again."
    json.dump({"comment": how, "client": f"ably {version('ably')}", "requests": requests}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
