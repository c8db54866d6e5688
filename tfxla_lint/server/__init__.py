"""A language server: diagnostics as one types, fixes, pages and facts, in files and notebooks."""
