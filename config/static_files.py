from whitenoise.storage import CompressedManifestStaticFilesStorage

_, IMPORTS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns


class HashedModules(CompressedManifestStaticFilesStorage):
    """Hashed names inside our JavaScript modules too: what one imports is the very file its page was made with.

    Only in ours: others' files name modules that only a bundler would find.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", IMPORTS))
