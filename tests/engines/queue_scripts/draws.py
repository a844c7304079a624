MASK = 2**64 - 1


class Draws:
    """xoshiro256++ seeded as the simulator's streams are: a queue that draws must draw the same numbers."""

    def __init__(self, seed: int, stream: int = 7) -> None:
        state = seed ^ (stream * 0xD1342543DE82EF95 & MASK)
        self.words = []
        for _ in range(4):
            state = (state + 0x9E3779B97F4A7C15) & MASK
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.words.append(z ^ (z >> 31))

    def uniform(self) -> float:
        """Return a number from (0, 1]."""
        a, b, c, d = self.words
        total = (a + d) & MASK
        result = (((total << 23) | (total >> 41)) + a) & MASK
        c, d = c ^ a, d ^ b
        self.words = [a ^ d, b ^ c, c ^ (b << 17 & MASK), ((d << 45) | (d >> 19)) & MASK]
        return ((result >> 11) + 1) * 2.0**-53
