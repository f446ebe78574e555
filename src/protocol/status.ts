// A request begins as `pending` and is settled once. A person (or a rule that a person made) makes it `answered`,
// `skipped` or `declined`; a deadline that the asker itself declared makes it `defaulted` or `expired`; the asker, or
// the stop of its run, makes it `cancelled`; a run that ended for good leaves it `orphaned`.
export const settled = ['answered', 'defaulted', 'skipped', 'declined', 'expired', 'cancelled', 'orphaned'] as const
export type SettledStatus = (typeof settled)[number]
export const statuses = ['pending', ...settled] as const
export type Status = (typeof statuses)[number]

export const kinds = ['question', 'dependency', 'approval', 'review'] as const
export type Kind = (typeof kinds)[number]

export const onTimeouts = ['default', 'fail', 'remind'] as const
export type OnTimeout = (typeof onTimeouts)[number]

/** What agents need, in blocks and with `beckon need`. */
export const neededTypes = ['api_key', 'env_variable', 'service', 'file', 'permission', 'package'] as const
/** A password goes to the program that asks through `beckon askpass`, once, also inside a run. */
export const dependencyTypes = [...neededTypes, 'password'] as const
export type DependencyType = (typeof dependencyTypes)[number]

/** Values of these types are secret: sealed, handed over once, never shown. */
export const secretTypes: readonly DependencyType[] = ['api_key', 'env_variable', 'service', 'password']

export const categories = ['business', 'clarification', 'choice', 'confirmation'] as const
export type Category = (typeof categories)[number]

export const runStatuses = ['starting', 'running', 'paused', 'asleep', 'completed', 'failed', 'stopped'] as const
export type RunStatus = (typeof runStatuses)[number]
export const runEnds = ['completed', 'failed', 'stopped'] as const
