"""The cases, one module for each area of the RFCs; importing a module registers what is in it."""
