"""What the tests of several folders share: compilers, feature programs, and their runs on a runtime.

A script puts test/ on its path and imports `harness`, whatever folder of test/ it stands in.
"""
