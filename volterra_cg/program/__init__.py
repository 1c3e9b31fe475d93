"""The program: hash-consed nodes with fingerprints, the language of all stages between system and emission."""
