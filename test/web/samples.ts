import type { AskInput } from '../../src/index.ts'

// Typical requests of every kind.

export const database: AskInput = {
  context:
    'The import job needs somewhere to keep prices. I looked at `docs/db.md`:\n\n- **one machine** for now, perhaps three next year\n- about *2 million* rows\n\n| store | writes/s | care |\n|---|---:|---|\n| PostgreSQL | 9,000 | some |\n| SQLite | 4,000 | none |\n\n```ts\n// what I would write\nconst db = await open(process.env.DATABASE_URL ?? "file:prices.db")\n```',
  questions: [
    {
      header: 'Database',
      question: 'Which database should the import use?',
      options: [
        { label: 'PostgreSQL', description: 'A server; many machines can share it, and it takes some looking after.' },
        { label: 'SQLite', description: 'One file, nothing to run. Enough for one machine.' },
        { label: 'DuckDB', description: 'Fast for reports, awkward for many small writes.' },
      ],
      allowOther: true,
    },
  ],
}

export const batch: AskInput = {
  context: 'Before I write the deployment I need to know four things.',
  questions: [
    { header: 'Region', question: 'Where should it run?', options: ['Seoul', 'Frankfurt', 'Oregon'] },
    {
      header: 'Features',
      question: 'Which of these may I turn on?',
      options: [
        { label: 'Cache', description: 'Keeps answers for a minute' },
        { label: 'Tracing', description: 'Every call is recorded' },
        { label: 'Preview builds', description: 'One for each branch' },
      ],
      multiSelect: true,
    },
    { header: 'Name', question: 'What should the service be called?' },
    {
      header: 'Budget',
      question: 'How much may it cost in a month?',
      options: ['under $20', 'under $100'],
      allowOther: true,
    },
  ],
}

export const previews: AskInput = {
  questions: [
    {
      header: 'Layout',
      question: 'Which layout do you like better for the price page?',
      options: [
        {
          label: 'Table',
          description: 'Dense, good for comparing',
          preview:
            '+------+-------+\n| item | price |\n+------+-------+\n| bolt |  0.12 |\n| nut  |  0.09 |\n+------+-------+',
        },
        {
          label: 'Cards',
          description: 'Calm, good on a phone',
          preview: '.------.  .------.\n| bolt |  | nut  |\n| 0.12 |  | 0.09 |\n`------\u0027  `------\u0027',
        },
      ],
    },
  ],
}

export const apiKey = {
  kind: 'dependency' as const,
  type: 'api_key' as const,
  name: 'OPENAI_API_KEY',
  description: 'To classify the price lists. Create one at https://platform.openai.com/api-keys with **read** scope.',
} satisfies AskInput

export const schema: AskInput = {
  kind: 'dependency',
  type: 'file',
  name: 'SCHEMA',
  description: 'Of the price tables.',
}

const push = 'git fetch origin && git push --force origin main'

export const forcePush = {
  kind: 'approval' as const,
  action: {
    command: push,
    cwd: '/srv/shop',
    digest: 'sha256:1',
    severity: 'high' as const,
    reasons: [
      {
        rule: 'git.force-push',
        message: 'Rewrites the history that others have.',
        span: [push.indexOf('git push'), push.length] as [number, number],
      },
    ],
    safer: 'git push --force-with-lease origin main',
  },
} satisfies AskInput

const destroy = 'terraform destroy -auto-approve'

export const destroyAll: AskInput = {
  kind: 'approval',
  agent: { name: 'deploy-bot', cwd: '/srv/infra' },
  action: {
    command: destroy,
    cwd: '/srv/infra',
    digest: 'sha256:2',
    severity: 'critical',
    reasons: [
      {
        rule: 'terraform.destroy',
        message: 'Destroys everything that is deployed, without asking again.',
        span: [0, destroy.length],
      },
    ],
    safer: 'terraform plan -destroy',
  },
}

export const install = {
  kind: 'approval' as const,
  action: { command: 'npm install left-pad', cwd: '/srv/shop', digest: 'sha256:3', severity: 'low' as const },
} satisfies AskInput

/** An approval that a person may turn into a rule. */
export const stash = {
  kind: 'approval' as const,
  action: {
    command: 'git stash drop',
    cwd: '/srv/shop',
    digest: 'sha256:4',
    severity: 'medium' as const,
    reasons: [
      { rule: 'git/stash-drop', message: 'Drops changes that are nowhere else.', span: [0, 14] as [number, number] },
    ],
    safer: 'git stash list',
    always: { exact: true, prefix: { words: ['git', 'stash', 'drop'], within: '/srv/shop' } },
  },
} satisfies AskInput

export const review: AskInput = {
  kind: 'review',
  phase: 2,
  title: 'The parser for price lists',
  files: ['src/parse.ts', 'test/parse.test.ts'],
  context:
    'It reads CSV and XLSX. Dates are **ISO 8601** only.\n\n```diff\ndiff --git a/src/parse.ts b/src/parse.ts\n@@ -12,7 +12,9 @@ export function parse(source: string) {\n   const rows = split(source)\n-  return rows.map(row => row.price)\n+  const prices = rows.map(row => toCents(row.price))\n+  if (prices.some(Number.isNaN)) throw new Error("a price is no number")\n+  return prices\n }\n```',
}
