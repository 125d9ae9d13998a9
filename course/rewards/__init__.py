"""The rewards at the end of the chapters: shipped data, run on the learner's own functions."""
