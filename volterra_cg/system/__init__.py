"""The mechanism as sympy expressions, whatever front end it came from."""
