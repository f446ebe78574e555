import type { Domain } from '../rule.ts'
import { copyingRules } from './copying.ts'
import { secretDeletingGrammar, secretDeletingRules } from './deleting.ts'
import { filteringRules } from './filtering.ts'
import { secretGrammar } from './grammar.ts'
import { keyRules } from './keys.ts'
import { oddReaderRules } from './odd-readers.ts'
import { printingRules } from './printing.ts'
import { secretManagerRules } from './secret-managers.ts'

export const secrets: Domain = {
  name: 'secrets',
  grammar: { ...secretGrammar, ...secretDeletingGrammar },
  rules: [
    ...printingRules,
    ...filteringRules,
    ...oddReaderRules,
    ...keyRules,
    ...secretManagerRules,
    ...secretDeletingRules,
    ...copyingRules,
  ],
}
