"""`./atlas ask`: an answer about a link of one's own, by simulation and by every model that applies."""
