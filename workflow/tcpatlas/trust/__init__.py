"""How far a model may be trusted at a point: error maps, made of a study's designs."""
