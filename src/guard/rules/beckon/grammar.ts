import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

const beckon = { values: list('--name --scope --expires --run --url --note --reason --value --keep --older-than') }

export const beckonGrammar: Grammars = { beckon, 'beckon.js': beckon, 'beckon.mjs': beckon }
