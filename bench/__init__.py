"""Speed, as ratios of interleaved runs: `make bench`. Nothing here is a test."""
