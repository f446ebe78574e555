// The limits on what an agent may send: generous, so that nobody meets them by accident, and finite, so that a runaway
// agent cannot fill the store with one request. docs/limits.md states them for users.
export const limits = {
  questions: 50,
  options: 200,
  files: 1_000,
  question: 10_000,
  header: 200,
  label: 1_000,
  description: 10_000,
  preview: 100_000,
  context: 1_000_000,
  diff: 1_000_000,
  command: 1_000_000,
  /** The input of a tool, as JSON: characters, and levels of nesting. */
  toolInput: 1_000_000,
  depth: 32,
  name: 200,
  key: 500,
  path: 4_096,
  text: 1_000_000,
  note: 20_000,
  /** One message on a request; and how many an agent and people may write on one. */
  message: 10_000,
  agentMessages: 20,
  personMessages: 200,
  /** Ten years: a longer timeout is a mistake in the unit. */
  timeout: 10 * 365 * 24 * 3_600_000,
} as const

/** Files that come with a request: how many, and bytes of one and of all. */
export const attachmentLimits = {
  files: 8,
  bytes: 5 * 1_048_576,
  total: 10 * 1_048_576,
  /** Pixels of a picture, by its header: what it needs in memory does not follow from its bytes. */
  side: 20_000,
  pixels: 50_000_000,
} as const

export const dependencyLimits = {
  apiKeyMin: 8,
  apiKeyMax: 10_000,
  envVariable: 10_000,
  service: 10_000,
  password: 1_000,
  file: 500,
  /** Bytes of a file that a person uploads. */
  upload: 100 * 1_048_576,
} as const

/** What a review shows of changed files: characters of one file and of all, and how many files. */
export const reviewLimits = { file: 50_000, total: 250_000, files: 500 } as const

/** "Always allow" lasts this long; then a person is asked again. */
export const alwaysLapsesAfter = 30 * 24 * 3_600_000

/** An unused yes to an action is void after this. */
export const approvalLapsesAfter = 15 * 60_000
