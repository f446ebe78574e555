import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'
import { npms } from './publishing.ts'

const pip = {
  values: list(
    '-r --requirement -c --constraint -i --index-url --extra-index-url --index -f --find-links -t --target --python -p',
  ),
}

const npm = {
  values: list(
    '--registry --prefix -w --workspace --userconfig --cache --loglevel --tag --access --otp --location -C --dir -F --filter --cwd --new-version --omit --include',
  ),
}

export const packageGrammar: Grammars = {
  pip,
  pip3: pip,
  uv: pip,
  npx: { values: list('-p --package -c --call'), posix: true },
  bunx: { values: list('-p --package'), posix: true },
  uvx: { values: list('--from --with -p --python'), posix: true },
  ...Object.fromEntries(npms.map(name => [name, npm])),
  cargo: {
    values: list(
      '--manifest-path --target-dir --config -Z --color -p --package --registry --index --token --features -F --git --branch --tag --rev --path --root --vers',
    ),
    sub: { yank: ['--version'], install: ['--version'] },
  },
  gem: { values: list('-v -k --key --host -p') },
  mvn: { values: list('-f --file -P --activate-profiles -pl --projects -s --settings -t -l'), words: true },
  mvnw: { values: list('-f --file -P -pl -s'), words: true },
  gradle: { values: list('-p --project-dir -b -c -I -g -x --exclude-task --tests') },
  gradlew: { values: list('-p --project-dir -b -c -I -g -x --exclude-task --tests') },
  clojure: { words: true },
  goreleaser: { values: list('-f --config --skip --parallelism -p --timeout') },
  twine: { values: list('-r --repository --repository-url -u --username -p --password --config-file') },
  'apt-get': { values: list('-o -c -t --option --target-release') },
  apt: { values: list('-o -c -t --option --target-release') },
  snap: { values: list('--channel --revision') },
}
