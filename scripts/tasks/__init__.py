"""The parts of make_tasks.py: model and check, generate, solve, pack."""
