import { BeckonError, invalid } from '../protocol/index.ts'
import { ApiError } from './call-api.ts'

interface Topic {
  name: string
  url: string
  secret: string | null
}

/**
 * A topic may have buttons only where nobody reads it without credentials: who can read a button can press it. ntfy says
 * at TOPIC/auth who may read.
 */
export async function refuseOpenTopic({ name, url, secret }: Topic): Promise<void> {
  if (await mayRead(url, null)) {
    throw invalid([
      {
        path: 'target',
        message: `${name} is a topic that everybody can read, so everybody could answer. Protect it (ntfy access everyone ${topicOf(url)} none), and try again`,
      },
    ])
  }
  if (!(await mayRead(url, secret))) {
    throw new BeckonError(
      'not_allowed',
      `The token of ${name} may not read its topic. Check the token, and add the target again.`,
    )
  }
}

export async function isOpenTopic(url: string): Promise<boolean> {
  return mayRead(url, null)
}

async function mayRead(url: string, token: string | null): Promise<boolean> {
  const headers = { 'user-agent': 'Beckon', ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(`${url.replace(/\/+$/, '')}/auth`, { headers, redirect: 'manual', signal }).catch(() => {
    throw new ApiError('ntfy: cannot be reached')
  })
  await response.body?.cancel()
  if (response.status === 200) return true
  if (response.status === 401 || response.status === 403) return false
  throw new ApiError(`ntfy: HTTP ${response.status}`, { status: response.status })
}

function topicOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}
