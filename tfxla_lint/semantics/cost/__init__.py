"""What running eagerly, or tracing again, costs: estimated from prices, or measured."""
