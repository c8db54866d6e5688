"""Which files make up a project, and which of them are analysed together."""
