"""What loops repeat eagerly: steps, models, syncs, rows."""
