import type { Phrase } from './ko.ts'

/**
 * What `src/rules` and `src/protocol/text.ts` say about a value that a person typed. These come without a code of their
 * own, so they are matched by their English text; `{name}` stands for the part that varies. Every other error is
 * translated by its code, status or path in `error-text.ts`.
 */
export const validationMessages = [
  'A password is a single line',
  'API key too long',
  'API key too short',
  'Answer is required',
  'Answer must be one of: {options}',
  'Choose one of: {options}; to pass over an optional request, skip it',
  'Environment variable too long',
  'File path too long',
  'Invalid API key format: it has no spaces and only ASCII characters',
  'Invalid URL format: no valid host',
  'Invalid URL format: write it as scheme://host',
  'Invalid package name format',
  'Only one option can be chosen',
  'Password too long',
  'Path traversal detected: the file must be inside the working directory',
  'Permission must be true/false or yes/no',
  'There is no such file (paths are relative to {directory}). Check the path, or upload the file',
  'This URL scheme is not allowed; use http, https, or the scheme of a service, such as postgres or redis',
  'This is a folder, and a file is needed',
  'This is not a regular file',
  'URL too long',
  'Value cannot be empty',
  'is too long: {length} characters, at most {most}',
  'must not be empty',
  '~ is not expanded here: write the full path',
] as const satisfies readonly Phrase[]
