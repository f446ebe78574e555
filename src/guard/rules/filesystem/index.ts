import type { Domain } from '../rule.ts'
import { deletingRules } from './deleting.ts'
import { extractingGrammar, extractingRules } from './extracting.ts'
import { filesystemGrammar } from './grammar.ts'
import { indirectDeletingRules } from './indirect-deleting.ts'
import { overwritingRules } from './overwriting.ts'
import { permissionRules } from './permissions.ts'
import { strictRules } from './strict.ts'
import { trashGrammar, trashRules } from './trash.ts'
import { uncommittedRules } from './uncommitted.ts'
import { writingRules } from './writing.ts'

export const filesystem: Domain = {
  name: 'filesystem',
  grammar: { ...filesystemGrammar, ...extractingGrammar, ...trashGrammar },
  rules: [
    ...deletingRules,
    ...uncommittedRules,
    ...strictRules,
    ...indirectDeletingRules,
    ...overwritingRules,
    ...extractingRules,
    ...trashRules,
    ...writingRules,
    ...permissionRules,
  ],
}
