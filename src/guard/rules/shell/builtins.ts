import type { GuardRule } from '../rule.ts'

/** Builtins that change what the shell itself does. */
export const builtinRules: readonly GuardRule[] = [
  {
    id: 'shell/load-builtin',
    program: ['enable', 'zmodload'],
    oneOf: [
      { program: 'enable', argMatches: /^-[a-z]*f/ },
      { program: 'zmodload', argMatches: /^(?!zsh\/).*\//s },
    ],
    severity: 'high',
    reason: 'loads a library into the shell, where it can do anything',
    match: ['enable -f ./evil.so evil', 'enable -nf /opt/x.so y'],
    notMatch: ['enable -n echo', 'enable -p', 'zmodload zsh/datetime'],
  },
]
