# Asks one number after the other and logs every answer that it reads, so that lost or repeated answers are noticed.
# argv: the log file, the number of questions.
import os, sys

path, count = sys.argv[1], int(sys.argv[2])
log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
os.write(log, b"start\n")
for i in range(count):
    print(f"some output before {i}\n[USER_QUESTION]\ncategory: clarification\nquestion: Number {i}?\n[/USER_QUESTION]", flush=True)
    answer = sys.stdin.readline()
    os.write(log, f"{i} {answer}".encode())
os.write(log, b"end\n")
