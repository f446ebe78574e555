import type { PreparePairing } from '../hub/pairings.ts'
import type { OpenTarget } from '../hub/sealing.ts'
import { BeckonError, invalid } from '../protocol/index.ts'
import { ApiError } from './call-api.ts'
import { refuseOpenTopic } from './ntfy.ts'
import { callSlack } from './slack/api.ts'
import { callTelegram } from './telegram/api.ts'

/** Asks the chat who its bot is, so that a person learns of a wrong token now and not from silence later. */
export const preparePairing: PreparePairing = async target => {
  try {
    return await prepare(target)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429
    const advice = isRefused ? 'Check its token, and add the target again.' : 'Try again.'
    throw new BeckonError(
      'unreachable',
      `The chat of ${target.name} does not answer as it should: ${error.message}. ${advice}`,
    )
  }
}

async function prepare(target: OpenTarget): ReturnType<PreparePairing> {
  switch (target.kind) {
    case 'telegram': {
      const { username } = await callTelegram<{ username: string }>(target, 'getMe')
      // A parameter of such a link has letters and digits only.
      const linkOf = (code: string) => `https://t.me/${encodeURIComponent(username)}?start=${code.replaceAll('-', '')}`
      return { bot: `@${username}`, linkOf }
    }
    case 'slack': {
      if (!target.appToken && !target.signingSecret) throw noCallbacks(target.name)
      const { user, team } = await callSlack(target.url, target.secret, 'auth.test')
      return { bot: `@${user} in ${team}`, linkOf: null }
    }
    case 'ntfy':
      await refuseOpenTopic(target)
      return { bot: null, linkOf: null }
    default:
      return { bot: null, linkOf: null }
  }
}

function noCallbacks(name: string): BeckonError {
  const message = `${name} has neither an app token (xapp-…, for Socket Mode) nor a signing secret, so Beckon would not hear of buttons that are pressed. Add it again with one of them`
  return invalid([{ path: 'target', message }])
}
