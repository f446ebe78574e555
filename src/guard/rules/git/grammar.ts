import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

export const gitGrammar: Grammars = {
  git: {
    before: list('-c -C --git-dir --work-tree --namespace --config-env --exec-path'),
    long: list(
      '--force --force-with-lease --force-if-includes --hard --soft --mixed --keep --merge --mirror --delete --prune --all --staged --worktree --discard-changes --no-verify',
    ),
    sub: {
      commit: list(
        '-m --message -F --file --author --date -t --template -C -c --reuse-message --fixup --squash --trailer',
      ),
      tag: list('-m --message -F --file -u --local-user --sort --format'),
      merge: list('-m -F --file -s --strategy -X --strategy-option'),
      push: list('-o --push-option --receive-pack --exec --repo'),
      log: list('-n -S -G -L --format --grep --author --since --until'),
      stash: list('-m --message'),
      notes: list('-m -F -C'),
      clean: list('-e --exclude'),
      checkout: list('-b -B --orphan'),
      switch: list('-c -C --orphan'),
      restore: list('-s --source'),
      rebase: list('--onto -s -X -x --exec'),
      config: list('-f --file --blob --type --default'),
      clone: list('-b --branch --depth -o --origin -c --config -u --upload-pack --template --reference'),
      init: list('--template -b --initial-branch --separate-git-dir'),
      fetch: list('--upload-pack -o --server-option --depth -j'),
      pull: list('--upload-pack -s -X --strategy --depth'),
      'ls-remote': list('--upload-pack --exec'),
      reflog: list('-n'),
    },
  },
  gh: {
    values: list(
      '-R --repo -b --body -t --title -F --body-file -n --notes -X --method -f --raw-field --field -H --header -q --jq --template -l --label -a --assignee -m --milestone -B --base --head -r --reviewer -L --limit -s --state -e --env -o --org -u --user -d --description --visibility --input --json -c --comment --reason',
    ),
  },
  glab: { values: list('-R --repo -b --description -t --title -X --method -f --raw-field --field -H --header') },
  hg: { values: list('-R --repository --cwd -r --rev -m --message') },
  svn: { values: list('-m --message -r --revision --username --password') },
  jj: { values: list('-R --repository -r --revisions -m --message') },
}
