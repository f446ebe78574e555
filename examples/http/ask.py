"""Asks a person over HTTP and waits for the answer. It uses only Python's standard library.

    BECKON_URL=http://127.0.0.1:4141 BECKON_TOKEN=beckon_ask_... python3 ask.py "Ship it?" yes no
"""

import json
import os
import sys
import urllib.error
import urllib.request

URL = os.environ.get("BECKON_URL", "http://127.0.0.1:4141")
TOKEN = os.environ["BECKON_TOKEN"]


def call(method, path, body=None):
    request = urllib.request.Request(URL + path, method=method)
    request.add_header("Authorization", "Bearer " + TOKEN)
    data = None
    if body is not None:
        request.add_header("Content-Type", "application/json")
        data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, data, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        error = json.load(refusal)["error"]
        sys.exit(f"{error['code']}: {error['message']}")


def main(question, *options):
    asked = call("POST", "/api/requests", {"questions": [{"question": question, "options": options}]})
    while asked["status"] == "pending":
        asked = call("GET", f"/api/requests/{asked['id']}?wait=30")
    call("PUT", f"/api/requests/{asked['id']}/delivery", {})
    outcome = asked["outcome"]
    for answer in outcome["answers"]:
        print("\n".join(answer["selected"] or [answer["text"] or ""]))
    if outcome["status"] != "answered":
        sys.exit(f"{outcome['status']} by {outcome['by']}: {outcome['reason'] or ''}")


if __name__ == "__main__":
    main(*sys.argv[1:])
