"""Trust in models: error maps, made of a study's designs, tell how far a model may be off at a point."""
