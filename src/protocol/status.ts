// A request is born `pending` and settled once. `answered`, `skipped` and `declined` are a person's doing (or that
// of a rule a person made); `defaulted` and `expired` follow from a deadline that the asker itself declared;
// `cancelled` is the asker's (or the stop of its run); `orphaned` is what is left when a run ends for good.
export const settled = ['answered', 'defaulted', 'skipped', 'declined', 'expired', 'cancelled', 'orphaned'] as const
export type SettledStatus = (typeof settled)[number]
export const statuses = ['pending', ...settled] as const
export type Status = (typeof statuses)[number]

export const kinds = ['question', 'dependency', 'approval', 'review'] as const
export type Kind = (typeof kinds)[number]

export const onTimeouts = ['default', 'fail', 'remind'] as const
export type OnTimeout = (typeof onTimeouts)[number]

export const dependencyTypes = ['api_key', 'env_variable', 'service', 'file', 'permission', 'package'] as const
export type DependencyType = (typeof dependencyTypes)[number]

/** Values of these types are secret: sealed, handed over once, never shown. */
export const secretTypes: readonly DependencyType[] = ['api_key', 'env_variable', 'service']

export const categories = ['business', 'clarification', 'choice', 'confirmation'] as const
export type Category = (typeof categories)[number]

export const runStatuses = ['starting', 'running', 'paused', 'asleep', 'completed', 'failed', 'stopped'] as const
export type RunStatus = (typeof runStatuses)[number]
export const runEnds = ['completed', 'failed', 'stopped'] as const
export type RunEnd = (typeof runEnds)[number]
