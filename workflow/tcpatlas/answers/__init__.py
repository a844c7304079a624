"""What engines and models say at a point: metrics with their sources, and what follows from several."""
