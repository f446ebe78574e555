/** The instructions for an agent, with the nonce of its run in every opening tag. */
export function promptWith(prompt: string, nonce: string | null): string {
  if (nonce === null) return prompt
  const tags = /\[(USER_QUESTION|DEPENDENCY_REQUEST|ERROR)\]/g
  return prompt
    .replaceAll(tags, `[$1 nonce=${nonce}]`)
    .replaceAll(/=== (PHASE \S+|CUSTOM TASK) COMPLETE ===/g, `=== $1 COMPLETE nonce=${nonce} ===`)
}
