import type { Classify } from '../approval/classify.ts'

/** Without a guard, a person sees every command. */
export const askAlways: Classify = command => ({
  verdict: 'ask',
  severity: 'medium',
  reasons: [{ rule: 'agent.no-guard', message: 'No guard has looked at this command.', span: [0, command.length] }],
  safer: null,
})
