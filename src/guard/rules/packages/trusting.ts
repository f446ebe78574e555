import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

/** Settings after which a package manager takes packages from whoever answers. */
export const trustingRules: readonly GuardRule[] = [
  {
    id: 'packages/trust-anyone',
    program: list('npm pnpm yarn bun pip pip3 conda mamba composer gem poetry'),
    oneOf: [
      { program: list('npm pnpm yarn bun'), words: /^config set (strict-ssl|strictSsl|enableStrictSsl)[ =]false\b/ },
      { program: list('npm pnpm'), words: /^set strict-ssl[ =]false\b/ },
      { program: list('pip pip3'), words: /^config set \S*trusted-host\b/ },
      { program: list('conda mamba'), words: /^config\b/, option: { '--set': /^ssl_verify$/ } },
      { program: 'composer', words: /^config (secure-http|disable-tls) (false|true)\b/ },
      { program: 'poetry', words: /^config certificates\.\S+ false\b/ },
    ],
    severity: 'high',
    reason: 'installs packages from now on without checking who sends them',
    match: [
      'npm config set strict-ssl false',
      'yarn config set strict-ssl false -g',
      'pip config set global.trusted-host pypi.org',
      'composer config -g disable-tls true',
    ],
    notMatch: [
      'npm config get strict-ssl',
      'npm config set save-exact true',
      'pip config list',
      'yarn config set strict-ssl true',
    ],
  },
]
