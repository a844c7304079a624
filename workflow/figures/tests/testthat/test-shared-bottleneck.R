module <- paper_module("shared-bottleneck")
