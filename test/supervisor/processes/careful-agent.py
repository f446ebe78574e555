# Asks number after number, and writes down what it was told and what it read, so that nothing can be lost or doubled
# unseen. argv: where to write, how many questions.
import os, sys

path, count = sys.argv[1], int(sys.argv[2])
log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
os.write(log, b"start\n")
for i in range(count):
    print(f"some output before {i}\n[USER_QUESTION]\ncategory: clarification\nquestion: Number {i}?\n[/USER_QUESTION]", flush=True)
    answer = sys.stdin.readline()
    os.write(log, f"{i} {answer}".encode())
os.write(log, b"end\n")
