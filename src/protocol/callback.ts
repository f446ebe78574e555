import { limits } from './limits.ts'
import { line } from './text.ts'

/** Where an asker wants to be called when its request is settled. Which hosts may be called is the server's to say. */
export const callbackUrlSchema = line(limits.path).refine(
  isCallbackUrl,
  'must be https://…, without a user or password, and without a dot at the end of its host',
)

function isCallbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && !hostname.endsWith('.')
}
