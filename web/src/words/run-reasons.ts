import type { Phrase } from './ko.ts'

/**
 * What `src/rules/run-reasons.ts` and the supervisor say about why a run failed or was stopped, matched by the English
 * text. Longer phrases first: `{name}` stands for anything.
 */
export const reasons = [
  'Required dependency timeout: {name} — not provided in {time}',
  'It was started {count} times and never took its answer, which is kept: {command}',
  'There is no command {file}, or the directory does not exist.',
  'It cannot be resumed: its agent did not report a session.',
  'Required dependency withdrawn: {name} — {reason}',
  'Required dependency rejected: {name} — {reason}',
  'The run failed, and its program did not say why',
  'Nobody was there to answer (--no-human fail)',
  'The agent reported a fatal error: {message}',
  'The request to the model failed: {error}',
  'Its supervisor and its agent were killed.',
  'Nobody could be asked (--no-human fail)',
  'Required dependency withdrawn: {name}',
  'The agent ended with exit code {code}',
  'Required dependency rejected: {name}',
  'It cannot be recovered: {message}',
  'The agent was killed by {signal}',
  'It could not start: {message}',
  'It was terminated ({signal}).',
  'The holder of the run was lost.',
  'Stopped by {name}: {reason}',
  '{file} is not executable.',
  'Its terminal was closed.',
  'It reached --max-turns',
  'Its process is gone.',
  'It was interrupted.',
  'Stopped by {name}',
] as const satisfies readonly Phrase[]
