import numpy as np


def date_ranges(message, *, today):
    return []


def nearness(ranges, days):
    return np.zeros(days.size), np.zeros(days.size)
