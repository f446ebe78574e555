/** By name, the statements in the form of compiled-statements.ts. The build of the commands writes them here. */
export const compiled: Readonly<Record<string, string>> | null = null
