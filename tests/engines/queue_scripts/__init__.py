"""The queues of RFC 8289, 8290, 8033 and of Floyd and Jacobson 1993, straight from their pseudo-code.

Beside them what Linux 6.1 does otherwise, as docs/decisions/as-linux.md tells it.

The link behind them counts bits and tokens. Slow and plain. Times are picoseconds. A queue yields events
(time, what, number) for arrivals (time, flow, understands marks).
"""

from queue_scripts.codel import CodelQueue, KernelCodelQueue
from queue_scripts.fair import FairQueue, SharedFairQueue
from queue_scripts.fifo import Queue
from queue_scripts.fq_codel import FqCodelQueue, KernelFqCodelQueue
from queue_scripts.pie import KernelPieQueue, PieQueue
from queue_scripts.red import KernelRedQueue, RedQueue
from queue_scripts.step import KernelStepQueue, StepQueue

QUEUES = {
    "codel": KernelCodelQueue,
    "codel-rfc": CodelQueue,
    "pie": KernelPieQueue,
    "pie-rfc": PieQueue,
    "red": KernelRedQueue,
    "red-rfc": RedQueue,
    "fq-codel": KernelFqCodelQueue,
    "fq-codel-rfc": FqCodelQueue,
    "step": KernelStepQueue,
    "step-rfc": StepQueue,
    "drop-tail": Queue,
    "fair-individual": FairQueue,
    "fair-shared": SharedFairQueue,
}
