"""Writes a signed report about the words in a text, and revises it until a person approves it.

    beckon run -- python3 report.py TEXT

It asks only with blocks: a question, a dependency, a review. It uses only the standard library.
"""

import hashlib
import hmac
import re
import sys
from collections import Counter
from pathlib import Path


def main(source):
    words = re.findall(r"\w+", Path(source).read_text().lower())
    if not words:
        say("[ERROR]", "type: fatal", f"message: There are no words in {Path(source).name}.", "[/ERROR]")
        # A fatal error ends the run. Wait for that.
        sys.stdin.read()

    say("[USER_QUESTION]", "category: business", "question: How many words shall the report list?",
        "default: 3", "required: false", "[/USER_QUESTION]")
    count = int(answer() or 3)

    say("[DEPENDENCY_REQUEST]", "type: api_key", "name: SIGNING_KEY",
        "description: Signs the report, so that readers know that it is ours", "required: true", "[/DEPENDENCY_REQUEST]")
    key = reply()["value"]

    title, phase = "The words that count", 1
    while True:
        write_report(title, Counter(words).most_common(count), key)
        say(f"=== PHASE {phase} COMPLETE ===", "Completed: the report", "Files created:", "- report.md", "Ready for review.")
        review = reply()
        if review["tag"] == "REVIEW_APPROVED":
            break
        title, phase = review["feedback"], phase + 1
    say("The report is approved.")


def write_report(title, words, key):
    body = f"# {title}\n\n" + "".join(f"- {word}: {times}\n" for word, times in words)
    signature = hmac.new(key.encode(), body.encode(), hashlib.sha256).hexdigest()
    Path("report.md").write_text(f"{body}\nSigned: {signature}\n")


def say(*lines):
    print(*lines, sep="\n", flush=True)


def answer():
    """The reply to a question is one line."""
    return unescape(sys.stdin.readline().rstrip("\n"))


def reply():
    """The reply to everything else is a block of `name: value` lines."""
    fields = {"tag": sys.stdin.readline().strip("[]\n")}
    for line in sys.stdin:
        if line.startswith("[/"):
            return fields
        name, _, value = line.rstrip("\n").partition(": ")
        fields[name] = unescape(value)
    sys.exit("stdin ended before the reply did")


def unescape(value):
    """A value is on one line: line breaks and other control characters are escaped."""
    known = {"\\": "\\", "n": "\n", "r": "\r"}
    return re.sub(r"\\(?:([\\nr])|u([0-9a-f]{4}))", lambda m: known[m[1]] if m[1] else chr(int(m[2], 16)), value)


if __name__ == "__main__":
    main(sys.argv[1])
