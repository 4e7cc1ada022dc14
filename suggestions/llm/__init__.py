"""Suggestions by models. Nothing here imports litellm before a call is made (client.py): web processes never do."""
