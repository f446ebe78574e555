import type { Kind } from '../databases.ts'

/** A framework in the versions that it is measured in, with the stores that it is documented to be durable on. */
export interface Framework {
  /** Of its program in programs/, and for --only. */
  name: string
  label: string
  stores: Store[]
  /** Null for Beckon, which is here already. */
  packages: Packages | null
}

export type Store = Kind | 'its own server'

interface Packages {
  dependencies: Record<string, string>
  /** Where the newest that a package allows cannot be installed or would have to be compiled. */
  overrides?: Record<string, string>
}

// The version of the first package is the one that tables and pictures name.
export const frameworks: Framework[] = [
  { name: 'beckon', label: 'Beckon', stores: ['SQLite', 'PostgreSQL'], packages: null },
  {
    name: 'langgraph',
    label: 'LangGraph JS',
    stores: ['SQLite', 'PostgreSQL'],
    packages: {
      dependencies: {
        '@langchain/langgraph': '1.4.18',
        '@langchain/langgraph-checkpoint': '1.1.5',
        '@langchain/langgraph-checkpoint-postgres': '1.0.5',
        '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
        '@langchain/core': '1.2.13',
        zod: '4.6.7',
      },
      // The SQLite of Beckon, which comes compiled.
      overrides: { 'better-sqlite3': '13.0.3', '@langchain/langgraph-sdk': '1.12.0', '@langchain/protocol': '0.0.19' },
    },
  },
  {
    name: 'openai',
    label: 'OpenAI Agents JS',
    stores: ['SQLite'],
    packages: { dependencies: { '@openai/agents': '0.20.0', 'better-sqlite3': '13.0.3', zod: '4.6.7' } },
  },
  {
    name: 'mastra',
    label: 'Mastra',
    stores: ['SQLite'],
    packages: { dependencies: { '@mastra/core': '1.71.0', '@mastra/libsql': '1.23.1', zod: '4.6.7' } },
  },
  {
    name: 'dbos',
    label: 'DBOS',
    stores: ['PostgreSQL'],
    packages: { dependencies: { '@dbos-inc/dbos-sdk': '5.3.0' } },
  },
  {
    name: 'restate',
    label: 'Restate',
    stores: ['its own server'],
    packages: { dependencies: { '@restatedev/restate-server': '1.7.12', '@restatedev/restate-sdk': '1.17.2' } },
  },
]

export function versionOf({ packages }: Framework): string {
  return packages === null ? '' : (Object.values(packages.dependencies)[0] ?? '')
}
