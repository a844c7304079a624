"""Trust in models: error maps from a study's designs estimate a model's error at a point."""
