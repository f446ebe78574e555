import type { Grammar } from '../../parse-args.ts'
import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'
import { removers } from './deleting.ts'

const cmdlet: Grammar = {
  words: true,
  caseless: true,
  slashes: true,
  values: ['-path', '-literalpath', '-lp', '-filter', '-include', '-exclude', '-name', '-erroraction', '-ea'],
}

export const windowsGrammar: Grammars = Object.fromEntries(
  [...removers, ...list('icacls takeown set-content add-content out-file')].map(name => [name, cmdlet]),
)
