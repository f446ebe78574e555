/**
 * The packages that the build puts into dist/, so that nobody who installs Beckon installs them: they are development
 * dependencies. `dependencies` are what is loaded from node_modules: native code, pg, and zod for the types.
 */
export const bundled: readonly string[] = [
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@hono/node-server',
  '@modelcontextprotocol/sdk',
  'ai',
  'commander',
  'get-east-asian-width',
  'hono',
  'ignore',
  'jsonc-parser',
  'kysely',
  'marked',
  'pino',
  'prom-client',
  'unbash',
  'uqr',
  'validate-npm-package-name',
  'web-push',
  'yaml',
]
