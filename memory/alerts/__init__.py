"""Telling the operator by webhook or mail what needs somebody: once when it begins, once when it is over."""

from memory.alerts.telling import AlertNotSent, send_test
from memory.alerts.watching import problems, watch

__all__ = ["AlertNotSent", "problems", "send_test", "watch"]
