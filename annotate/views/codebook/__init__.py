"""The pages of a project's codebook. Every one reads through `annotate.codebook`, which knows who may see what."""
