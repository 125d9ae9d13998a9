"""Run a notebook's cells as the grader does. The sandbox runs them in its jail; the check before handing in, without.

Files: `boot` starts a clean Python and loads our modules; `notebook` runs the cells, with `cells`, `waiting`, `quiet`,
`standing_in`, `printing`; `errors` says what went wrong in them; `limits` says what they may use. The check before
handing in: `fresh` starts the process, `alone` is the process, `talk` is what it says, `names` compares two sessions.
"""
