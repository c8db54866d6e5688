"""Keeps what was found out on the disk, by the content that it was found out from."""
