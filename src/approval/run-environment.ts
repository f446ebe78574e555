import type { Facts } from '../protocol/facts.ts'
import { isStartupVariable, isSteering } from './environment.ts'
import type { Hmac } from './facts/hmac.ts'

export type RunEnvironment =
  | {
      readonly env: NodeJS.ProcessEnv
      /** Variables that steer programs and were not there when the person was asked. */
      readonly removed: string[]
    }
  /** Secrets that are missing or have another value: they are not recorded, so they cannot be set. */
  | { readonly changed: string[] }

/** The environment that a person said yes to: what steers programs is exactly as it was recorded, the rest is as it is. */
export function environmentFor(
  { environment }: Pick<Facts, 'environment'>,
  env: NodeJS.ProcessEnv,
  hmac: Hmac,
): RunEnvironment {
  const recorded = new Map(environment.map(variable => [variable.name, variable]))
  const kept = Object.entries(env).filter(
    ([name]) => !isStartupVariable(name) && (recorded.has(name) || !isSteering(name)),
  )
  const result: NodeJS.ProcessEnv = Object.fromEntries(kept)
  const changed: string[] = []
  for (const variable of environment) {
    const { name } = variable
    if (isStartupVariable(name)) continue
    if ('value' in variable) result[name] = variable.value
    else if (env[name] === undefined || hmac(name, env[name]) !== variable.hmac) changed.push(name)
  }
  if (changed.length > 0) return { changed: changed.toSorted() }
  const removed = Object.keys(env).filter(name => env[name] !== undefined && result[name] === undefined)
  return { env: result, removed: removed.toSorted() }
}
