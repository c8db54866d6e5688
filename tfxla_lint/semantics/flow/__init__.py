"""One flow graph: what runs after what, which binding a read sees, who calls whom with what."""
