// BECKON_GUARD says how careful the guard is: `strict` asks about every recursive or forced delete, `standard` does not.

const variable = 'BECKON_GUARD'
const standard = 'standard'

/** A value that we do not know counts as strict. */
export function isStrictSetting(env: NodeJS.ProcessEnv): boolean {
  return !['', standard].includes(env[variable] ?? '')
}

/** The built-in agent is strict unless somebody says otherwise. */
export function isStandardSetting(env: NodeJS.ProcessEnv): boolean {
  return env[variable] === standard
}

/** The environment for a guard of this setting, here and in every command that is started with it. */
export function withGuardSetting(env: NodeJS.ProcessEnv, strict: boolean): NodeJS.ProcessEnv {
  return { ...env, [variable]: strict ? 'strict' : standard }
}
