"""Pictures of runs: what is where, drawn by matplotlib or by a viewer in a browser."""
