"""An engine that invents its numbers from the seed: `fake_engine.py FOLDER --point P --seed N --out RUN`.

It counts its calls in FOLDER/calls, and misbehaves as the file FOLDER/mode says.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

folder, *arguments = sys.argv[1:]
options = dict(zip(arguments[::2], arguments[1::2], strict=True))
point = json.loads(Path(options["--point"]).read_text())
seed = int(options["--seed"])
out = Path(options["--out"])

with (Path(folder) / "calls").open("a") as calls:
    calls.write(f"{seed}\n")
mode_file = Path(folder) / "mode"
mode = mode_file.read_text() if mode_file.exists() else ""
if mode == "fail":
    sys.exit(f"{options['--point']}: tcp.variant: is unknown; one of: newreno")
if mode == "fail silently":
    sys.exit(4)
if mode == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
if mode == "no output":
    sys.exit(0)
if mode == "three at once":
    patience_s = 60.0
    while len((Path(folder) / "calls").read_text().split()) < 3:
        time.sleep(0.01)
        patience_s -= 0.01
        if patience_s < 0:
            sys.exit("waited for the others")
if mode == "fail and hang":
    # The second call fails as soon as the first is there; the first ends some time after that, or is ended.
    if len((Path(folder) / "calls").read_text().split()) > 1:
        sys.exit("the second fails")
    time.sleep(1)
if mode == "hang":
    with (Path(folder) / "pids").open("a") as pids:
        pids.write(f"{os.getpid()}\n")
    (Path(folder) / "pid").write_text(str(os.getpid()))
    time.sleep(600)

spread = 0.5 if mode == "noisy" else 1e-6
run = {
    "schema": "tcp-atlas/run/1",
    "engine": "packetsim",
    "engine_version": "0.0.1",
    "study": point["study"],
    "set": point["set"],
    "point": "another" if mode == "wrong point" else point["point"],
    "seed": seed,
    "simulated_s": 1.5,
    "counters": {
        "connections_completed": 10,
        "packets_sent": 120,
        "packets_delivered": 119,
        "packets_dropped": 1,
        "packets_lost": 0,
        "packets_in_flight": 0,
        "events": 240,
    },
    "metrics": {
        "goodput_per_connection": {"unit": "bit/s", "value": 563000 * (1 + spread * (seed % 1000 / 500 - 1))},
        "loss_ratio": {"unit": "1", "value": 0.0},
    },
    "distributions": {"queue_by_time": {"unit": "packets", "probability": [0.75, 0.25]}},
}
if mode == "bad run":
    run["metrics"]["goodput_per_connection"] = {"value": 1}
out.write_text("{" if mode == "broken run" else json.dumps(run))
