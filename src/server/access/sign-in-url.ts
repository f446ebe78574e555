import { phoneLinkLasts } from '../../hub/access/sessions.ts'
import type { SharedHub } from '../../hub/shared-hub.ts'
import type { SignInLink } from '../../protocol/session.ts'
import type { Addresses } from './addresses.ts'

/** The secret travels in the fragment, which browsers send to no server. */
export function signInUrl(url: string, secret: string): string {
  return `${url}/#signin=${secret}`
}

/** For a phone, which only answers. Null where no phone can reach this server: a code that cannot work helps nobody. */
export async function makePhoneLink(
  { access }: Pick<SharedHub, 'access'>,
  { url, isReachable }: Addresses,
  who: { name: string; maker?: string },
): Promise<SignInLink | null> {
  if (!isReachable) return null
  const { secret, expiresAt } = await access.sessions.makeLink({ ...who, scope: 'answer', lasts: phoneLinkLasts })
  return { url: signInUrl(url, secret), expiresAt: new Date(expiresAt).toISOString() }
}
