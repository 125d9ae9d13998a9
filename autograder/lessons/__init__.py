"""The lessons: one module each, with hidden groups and known mistakes."""
