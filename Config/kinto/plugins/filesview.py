"""Serves the files of attachments, which kinto-attachment's local storage stores but doesn't serve.

For this machine only: whoever knows a file's name may read it.
"""


def includeme(config):
    settings = config.get_settings()
    folder = settings.get("attachment.base_path") or settings["storage.base_path"]
    config.add_static_view(name="attachments", path=folder, cache_max_age=0)
