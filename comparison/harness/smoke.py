def smoke(binary): return 0
