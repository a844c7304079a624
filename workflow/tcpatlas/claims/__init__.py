"""From runs and printed numbers to observations and claims."""
