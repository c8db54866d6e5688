"""One effect system: what code does beside computing values, where, and under which conditions."""
