"""placeholder"""
def write(results, page): pass
