import type { Domain } from '../rule.ts'
import { deletingRules } from './deleting.ts'
import { filesystemGrammar } from './grammar.ts'
import { indirectDeletingRules } from './indirect-deleting.ts'
import { permissionRules } from './permissions.ts'
import { strictRules } from './strict.ts'
import { uncommittedRules } from './uncommitted.ts'
import { writingRules } from './writing.ts'

export const filesystem: Domain = {
  name: 'filesystem',
  grammar: filesystemGrammar,
  rules: [
    ...deletingRules,
    ...uncommittedRules,
    ...strictRules,
    ...indirectDeletingRules,
    ...writingRules,
    ...permissionRules,
  ],
}
