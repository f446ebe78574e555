// allow < ask < deny: a command gets the strictest verdict of all its parts.
export const verdicts = ['allow', 'ask', 'deny'] as const

export const severities = ['none', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]
