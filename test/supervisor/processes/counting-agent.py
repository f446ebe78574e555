# Prints numbered lines, asks in between, and logs what it printed and what it read. argv: the folder of the logs,
# the number of questions.
import os, sys, time

folder, count = sys.argv[1], int(sys.argv[2])
read, printed = (os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) for name in ("read", "printed"))


def say(text):
    os.write(printed, f"{text}\n".encode())
    print(text, flush=True)


os.write(read, b"start\n")
for i in range(count + 1):
    for line in range(40):
        say(f"line {i}.{line} 한 줄")
        time.sleep(0.005)
    if i == count:
        break
    say(f"[USER_QUESTION]\ncategory: clarification\nquestion: Number {i}?\n[/USER_QUESTION]")
    os.write(read, f"{i} {sys.stdin.readline()}".encode())
os.write(read, b"end\n")
