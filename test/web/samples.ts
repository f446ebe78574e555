import type { AskInput } from '../../src/protocol/index.ts'

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
        {
          label: 'Code',
          description: 'For people who like to build it themselves',
          preview: 'As a list:\n\n```ts\nconst rows = list()\n```',
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

export const forcePush = {
  kind: 'approval' as const,
  action: { command: 'git fetch origin && git push --force origin main', cwd: '/srv/shop' },
} satisfies AskInput

export const destroyAll: AskInput = {
  kind: 'approval',
  agent: { name: 'deploy-bot', cwd: '/srv/infra' },
  action: { command: 'terraform destroy -auto-approve', cwd: '/srv/infra' },
}

export const install = {
  kind: 'approval' as const,
  action: { command: 'npm install left-pad', cwd: '/srv/shop' },
} satisfies AskInput

/** An approval that a person may turn into a rule. */
export const stash = {
  kind: 'approval' as const,
  action: { command: 'git stash drop', cwd: '/srv/shop' },
} satisfies AskInput

export const transfer = {
  kind: 'approval' as const,
  action: { tool: 'mcp__bank__transfer', input: { to: 'ACME', amount: 250, currency: 'EUR' }, cwd: '/srv/shop' },
} satisfies AskInput

/** A script, with what was recorded of it when it was asked about. */
export const script = {
  kind: 'approval' as const,
  action: {
    tool: 'Bash',
    input: { command: 'bash deploy.sh && git stash drop', description: 'Deploy', timeout: 60 },
    cwd: '/srv/shop',
    facts: {
      files: [
        { path: '/srv/shop/deploy.sh', hash: 'sha256-1', text: '#!/bin/sh\nset -e\nscp -r build web-1:/srv/www\n' },
        { path: '/srv/shop/big.bin', hash: 'sha256-2' },
      ],
      unbound: ['deploy.sh starts other scripts'],
    },
    reasons: [{ rule: 'mine', message: 'The site is down for a moment.', span: [0, 4] as [number, number] }],
  },
} satisfies AskInput

export const review = {
  kind: 'review' as const,
  phase: 2,
  title: 'The parser for price lists',
  files: ['src/parse.ts', 'test/parse.test.ts'],
  context: 'It reads CSV and XLSX. Dates are **ISO 8601** only.\n\n3 files changed (+6 −1) since the phase began.',
  diff: `diff --git a/src/parse.ts b/src/parse.ts
--- a/src/parse.ts
+++ b/src/parse.ts
@@ -12,3 +12,5 @@ export function parse(source: string) {
   const rows = split(source) // 7 columns
-  return rows.map(row => row.price)
+  const prices = rows.map(row => toCents(row.price))
+  if (prices.some(Number.isNaN)) throw new Error("a price is not a number")
+  return prices
 }
diff --git a/test/parse.test.ts b/test/parse.test.ts
new file mode 100644
--- /dev/null
+++ b/test/parse.test.ts
@@ -0,0 +1,3 @@
+// One list is enough.
+const list = parse('price\\n1.50')
+expect(list).toEqual([150])
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
`,
} satisfies AskInput
