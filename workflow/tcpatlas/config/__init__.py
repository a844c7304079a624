"""What a configuration asks for: its studies, where they are found, and the numbers that they answer."""
