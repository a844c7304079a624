"""Measurements of a link by other tools, beside what simulation gives there: `./atlas compare`."""
