"""Templates of the pages the grader writes."""
