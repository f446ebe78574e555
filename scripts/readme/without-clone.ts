const inClone = /```sh\nnpm ci && npm start[\s\S]*?```/

/** Begins with what somebody runs who installs the package, in place of the two commands for a clone. */
export function withoutClone(markdown: string): string {
  return markdown.replace(inClone, ['```sh', 'npm install --global beckon', '```'].join('\n'))
}
