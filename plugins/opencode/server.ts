/** What opencode hands to its plugins, as far as it is used here. */
export interface PluginInput {
  readonly directory: string
  readonly client: { readonly _client?: Http; readonly client?: Http }
}

/** The HTTP client inside opencode's own: it reaches the server in this process, too, where none listens. */
interface Http {
  get(request: HttpRequest): Promise<{ data?: unknown }>
  post(request: HttpRequest): Promise<{ error?: unknown }>
}

interface HttpRequest {
  readonly url: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

export interface Opencode {
  /** A reply to what was answered meanwhile changes nothing: the first answer won. */
  replyToPermission(id: string, body: { reply: string; message?: string }): Promise<void>
  replyToQuestion(id: string, answers: readonly (readonly string[])[]): Promise<void>
  rejectQuestion(id: string): Promise<void>
  /** Whether a person sits in front of it, and its settings let it ask before some uses of the tool. */
  showsDialogs(tool: string): Promise<boolean>
  toast(message: string): Promise<void>
  log(message: string): Promise<void>
}

export function opencodeApi({ client }: PluginInput): Opencode {
  const http = client._client ?? client.client
  return {
    replyToPermission: (id, body) => post(`/permission/${id}/reply`, body),
    replyToQuestion: (id, answers) => post(`/question/${id}/reply`, { answers }),
    rejectQuestion: id => post(`/question/${id}/reject`, {}),
    async showsDialogs(tool) {
      if (isHeadless()) return false
      const config = await http?.get({ url: '/config' }).catch(() => null)
      return asksBefore(tool, (config?.data as { permission?: unknown } | undefined)?.permission)
    },
    toast: message => post('/tui/show-toast', { message, variant: 'warning', duration: 20_000 }),
    log: message => post('/log', { service: 'beckon', level: 'error', message }),
  }

  async function post(url: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    await http?.post({ url, body, headers }).catch(() => {})
  }
}

/** `opencode run` has nobody to ask: it rejects what its settings let it ask about. */
function isHeadless(): boolean {
  return process.argv.slice(2).find(word => !word.startsWith('-')) === 'run'
}

function asksBefore(tool: string, permission: unknown): boolean {
  if (permission === null || typeof permission !== 'object') return permission === 'ask'
  const rules = permission as Record<string, unknown>
  const rule = rules[tool] ?? rules['*']
  if (rule === null || typeof rule !== 'object') return rule === 'ask'
  return Object.values(rule).includes('ask')
}
