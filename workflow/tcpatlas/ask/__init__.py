"""`./atlas ask`: answers questions about a user's link, by simulation and by every model that applies."""
