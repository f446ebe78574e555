import type { Domain } from '../rule.ts'
import { list } from '../words.ts'
import { installingRules } from './installing.ts'
import { publishingGrammar, publishingRules } from './publishing.ts'
import { systemPackageGrammar, systemPackageRules } from './system-packages.ts'

const pip = {
  values: list(
    '-r --requirement -c --constraint -i --index-url --extra-index-url --index -f --find-links -t --target --python -p',
  ),
}

export const packages: Domain = {
  name: 'packages',
  grammar: {
    pip,
    pip3: pip,
    uv: pip,
    npx: { values: list('-p --package -c --call'), posix: true },
    bunx: { values: list('-p --package'), posix: true },
    uvx: { values: list('--from --with -p --python'), posix: true },
    ...publishingGrammar,
    ...systemPackageGrammar,
  },
  rules: [...publishingRules, ...installingRules, ...systemPackageRules],
}
