"""The lessons' plots, one file a lesson; what they share is in `picture`, `panels` and `tables`."""
