import type { Kept } from '../../../src/protocol/kept.ts'
import type { Rule } from '../../../src/protocol/rule.ts'
import { call } from './call.ts'

// What people decided beyond one request: values that they keep, commands that they always allow or forbid.

export function listKept(): Promise<Kept[]> {
  return call('kept.list', [])
}

export function forgetKept(name: string): Promise<unknown> {
  return call('kept.forget', [name])
}

export function listRules(): Promise<Rule[]> {
  return call('rules.list', [])
}

export function removeRule(id: string): Promise<unknown> {
  return call('rules.remove', [id])
}
