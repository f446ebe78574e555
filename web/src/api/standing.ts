import type { Kept } from '../../../src/protocol/kept.ts'
import type { Rule } from '../../../src/protocol/rule.ts'
import { call } from './call.ts'

// What people decided beyond the one time: values that they keep, commands that they always allow or forbid.

export async function listKept(): Promise<Kept[]> {
  return (await call<{ kept: Kept[] }>('GET', '/kept')).kept
}

export function forgetKept(name: string): Promise<unknown> {
  return call('DELETE', `/kept/${encodeURIComponent(name)}`)
}

export async function listRules(): Promise<Rule[]> {
  return (await call<{ rules: Rule[] }>('GET', '/rules')).rules
}

export function removeRule(id: string): Promise<unknown> {
  return call('DELETE', `/rules/${encodeURIComponent(id)}`)
}
