# Asks once by a block and once by a command, and ends well only with the right answers.
import subprocess, sys

print("working\n[USER_QUESTION]\ncategory: clarification\nquestion: Which way?\n[/USER_QUESTION]", flush=True)
by_block = sys.stdin.readline().strip()
asked = subprocess.run(["beckon", "ask", "And by command?"], capture_output=True, text=True)
print(f"read {by_block}", flush=True)
sys.exit(0 if by_block.startswith("answer to req_") and asked.stdout.startswith("answer to req_") else 3)
