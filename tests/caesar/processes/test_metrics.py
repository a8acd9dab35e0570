"""What processes count, together: over processes that live, and those that have ended."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
COUNT = """
import os, sys
from pathlib import Path
from caesar import metrics
metrics.share(Path(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    metrics.count_event("memory.fact.added")
with metrics.timed("record"):
    pass
metrics.note_index("units", size_bytes=1000, entries=10)
"""
READ = """
import sys
from pathlib import Path
from caesar import metrics
metrics.share(Path(sys.argv[1]))
from prometheus_client.exposition import generate_latest
metrics.tidy()
with metrics.registry() as found:
    print(generate_latest(found).decode())
"""


def run(script: str, *arguments: str) -> str:
    env = {name: value for name, value in os.environ.items() if name != "PROMETHEUS_MULTIPROC_DIR"}
    done = subprocess.run([sys.executable, "-c", script, *arguments], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ended_processes_are_added_up_in_one_file_of_each_kind(tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    for count in (2, 3, 4):
        run(COUNT, str(folder), str(count))
    said = run(READ, str(folder))
    assert 'caesar_events_total{event="memory.fact.added"} 9.0' in said
    assert 'caesar_stage_seconds_count{stage="record"} 3.0' in said
    assert "caesar_index_bytes" not in said, "what they held is gone with them"
    assert {path.name for path in folder.glob("*.db")} == {"counter_0.db", "histogram_0.db"}
    assert 'caesar_events_total{event="memory.fact.added"} 9.0' in run(READ, str(folder))
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_file_cut_short_stops_nothing(tmp_path: Path) -> None:
    run(COUNT, str(tmp_path), "2")
    [counted] = tmp_path.glob("counter_*.db")
    counted.write_bytes(counted.read_bytes()[:40])
    (tmp_path / "counter_999999999.db").write_bytes(b"\x00")
    run(COUNT, str(tmp_path), "5")
    assert 'caesar_events_total{event="memory.fact.added"} 5.0' in run(READ, str(tmp_path))


def test_without_a_place_for_files_a_process_counts_for_itself(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run(COUNT, str(tmp_path / "file" / "folder"), "2")


@pytest.mark.parametrize("fails", [False, True])
def test_a_stage_is_measured_whether_it_succeeds_or_not(fails: bool) -> None:
    from prometheus_client import REGISTRY

    from caesar import metrics

    def counted() -> float:
        return REGISTRY.get_sample_value("caesar_stage_seconds_count", {"stage": "extract"}) or 0.0

    before = counted()
    try:
        with metrics.timed("extract"):
            if fails:
                raise LookupError
    except LookupError:
        pass
    assert counted() == before + 1


def test_a_folder_that_cannot_be_written_to_stops_nothing(tmp_path: Path) -> None:
    gone = COUNT.replace("for _ in", "import shutil; shutil.rmtree(sys.argv[1])\nfor _ in")
    run(gone, str(tmp_path / "metrics"), "2")
