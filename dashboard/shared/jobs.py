"""The two background jobs, under the names that addresses use."""

from collections.abc import Mapping
from typing import Any, Literal

from memory.learning import Job
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY

JobName = Literal["extract", "summarise"]

JOBS: Mapping[str, Job[Any, Any]] = {"extract": EXTRACTION, "summarise": SUMMARY}
