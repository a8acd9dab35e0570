"""What Prometheus reads: what the processes counted, and what stands in the database."""
