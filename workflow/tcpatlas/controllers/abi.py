"""`tcpatlas_cc.h` for ctypes. packetsim refuses these structures if their sizes are not the header's."""

import ctypes as c

ABI = 2
OWN_RECOVERY, EVERY_ACK, EACH_MARK = 1, 2, 4
APP_LIMITED = 1


class Parameter(c.Structure):
    """A number that the scenario hands to the controller."""

    _fields_ = (("name", c.c_char_p), ("value", c.c_double))


class Config(c.Structure):
    """What a connection begins with: windows in packets of `packet_bytes`."""

    _fields_ = (
        ("packet_bytes", c.c_uint32),
        ("initial_window", c.c_int32),
        ("most", c.c_int32),
        ("parameter_count", c.c_uint32),
        ("parameters", c.POINTER(Parameter)),
        ("seed", c.c_uint64),
    )


class Packet(c.Structure):
    """A transmission: its number, counted from 0, and when it was sent (picoseconds)."""

    _fields_ = (("number", c.c_int64), ("sent", c.c_int64))


class Event(c.Structure):
    """What happened: times in picoseconds, counts in packets."""

    _fields_ = (
        *((name, c.c_int64) for name in ("now", "rtt", "srtt", "min_rtt")),
        *((name, c.c_int64) for name in ("delivered_total", "marked_total", "delivered_before")),
        ("delivery_rate", c.c_double),
        ("newest", Packet),
        ("lost_packets", c.POINTER(Packet)),
        *((name, c.c_int32) for name in ("acked", "delivered", "lost", "in_flight", "prior_in_flight")),
        *((name, c.c_int32) for name in ("una", "next")),
        ("flags", c.c_uint32),
    )


class Decision(c.Structure):
    """What is to be done: packets, packets, bytes/s (0: not paced)."""

    _fields_ = (("window", c.c_double), ("ssthresh", c.c_double), ("pacing_rate", c.c_double))


CREATE = c.CFUNCTYPE(c.c_void_p, c.POINTER(Config), c.POINTER(Decision))
DESTROY = c.CFUNCTYPE(None, c.c_void_p)
CALL = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Event), c.POINTER(Decision))
SENT = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Packet))
CALLS = ("on_ack", "on_loss", "on_recovered", "on_timeout", "on_mark", "on_restart", "on_delivery")


class Controller(c.Structure):
    """The table of calls; one that is not set is not made."""

    _fields_ = (
        ("built_for", c.c_uint32 * 5),
        ("flags", c.c_uint32),
        ("create", CREATE),
        ("destroy", DESTROY),
        *((name, CALL) for name in CALLS),
        ("on_sent", SENT),
    )


SIZES = (c.c_uint32 * 5)(ABI, *(c.sizeof(each) for each in (Config, Event, Decision, Controller)))
