import { block, type Hook } from '../hook.ts'

/** The hooks of Claude Code. */
export const claudeHook: Hook = {
  wait: 570_000,
  answer: async () => block('Not built yet.'),
  refuse: (_, message) => block(message),
}
