import { copyFileSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { absoluteLinks } from './readme/absolute-links.ts'
import { withoutClone } from './readme/without-clone.ts'

// npm shows the README outside the repository, where relative links lead nowhere, and to people who have no clone; its
// translations are packed, too.
// `npm pack` and `npm publish` run this after the build, just before they read them, and `--restore` afterwards. `npm ci`
// and the like run it, too: not for them.
const root = join(import.meta.dirname, '..')

const isRestoring = process.argv.includes('--restore')
const isPacking = ['pack', 'publish'].includes(process.env.npm_command ?? '')

for (const name of isRestoring || isPacking ? globSync('README*.md', { cwd: root }) : []) {
  const readme = join(root, name)
  const original = join(root, 'node_modules', `.beckon-${name}`)
  if (isRestoring) renameSync(original, readme)
  else {
    const { repository, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const text = readFileSync(readme, 'utf8')
    copyFileSync(readme, original)
    writeFileSync(readme, absoluteLinks(withoutClone(text), repository.url, `v${version}`))
  }
}
