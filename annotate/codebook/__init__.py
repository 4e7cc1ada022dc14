"""The codebook of a project: what lies below `taxonomy` joined with the failures that people marked."""
