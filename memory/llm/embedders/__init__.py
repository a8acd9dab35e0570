"""Where vectors come from: the embedder in this process, and the servers that have one."""
