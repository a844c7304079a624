"""The swarm: random networks put to two engines, until each difference has a named cause."""
