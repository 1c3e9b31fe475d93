"""The specs of the benchmark models, shipped beside the comparison that runs them."""
