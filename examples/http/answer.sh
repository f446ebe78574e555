#!/bin/sh
# Answers the oldest waiting request over HTTP: answer.sh VALUE
# BECKON_URL is the address of the server, BECKON_TOKEN a token with the scope answer.
set -eu
url=${BECKON_URL:-http://127.0.0.1:4141}

call() {
  method=$1 path=$2
  shift 2
  curl -sS --fail-with-body -X "$method" -H "Authorization: Bearer $BECKON_TOKEN" "$@" "$url$path"
}

id=$(call GET '/api/requests?limit=1' | sed -n 's/.*"id":"\(req_[0-9a-z]*\)".*/\1/p')
[ -n "$id" ] || { echo 'No requests are waiting.' >&2; exit 1; }
call PUT "/api/requests/$id/answer" -H 'Content-Type: application/json' -d "{\"value\":\"$1\"}"
echo
