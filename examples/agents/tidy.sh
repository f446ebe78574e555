#!/usr/bin/env bash
# Packs old files of a folder into an archive. It asks with a block and with `beckon ask`, and for a review at the end.
#   beckon run -- bash tidy.sh FOLDER
set -euo pipefail
folder=${1:-.}

# A block on stdout asks a question. Beckon stops this script until the answer is the next line on stdin.
cat <<'BLOCK'
[USER_QUESTION]
category: choice
question: Which files shall I pack?
options: [Logs, Backups, Nothing]
[/USER_QUESTION]
BLOCK
read -r kind

case $kind in
  Logs) pattern='*.log' ;;
  Backups) pattern='*.bak' ;;
  *) echo 'Nothing to do.' && exit 0 ;;
esac

shopt -s nullglob
cd "$folder"
files=($pattern)
if [ ${#files[@]} -eq 0 ]; then
  # People see this as an error of the run. There is no reply. `type: fatal` would also end the run.
  printf '[ERROR]\ntype: nothing_found\nmessage: There are no %s here.\nrecovery: Look into another folder.\n[/ERROR]\n' "$kind"
  exit 1
fi
tar -czf packed.tar.gz -- "${files[@]}"
echo "Packed ${#files[@]} files."

# With `beckon ask`, only that command waits. It exits 0 for any answer and prints the answer on stdout.
if [ "$(beckon ask "Delete the ${#files[@]} files that are in the archive now?" --option yes --option no)" = yes ]; then
  rm -- "${files[@]}"
  echo 'Deleted.'
fi

# A finished phase, with the files to review. The reply is a block.
cat <<'BLOCK'
=== PHASE 1 COMPLETE ===
Completed: the folder is tidy
Files created:
- packed.tar.gz
Ready for review.
BLOCK
verdict=changes
while read -r line; do
  case $line in
    '[REVIEW_APPROVED]') verdict=approved ;;
    'feedback: '*) echo "I was told: ${line#feedback: }" ;;
    '[/'*) break ;;
  esac
done
[ $verdict = approved ] && echo 'All is well.' || { echo 'I leave that to you.'; exit 2; }
