"""The site as it is, with one more address: a bare view that writes the rows of a save, to compare with."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.site.urls"
