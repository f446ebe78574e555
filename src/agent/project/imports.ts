import { resolve } from 'node:path'

const maxImports = 20

/**
 * The files that a CLAUDE.md imports by `@path`, outside of code. One level: what they import themselves is not followed.
 * Paths of the home folder are left alone, because they lead out of the project.
 */
export function importsIn(text: string, folder: string): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?(^\1|$(?![\s\S]))/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const paths = [...prose.matchAll(/(?:^|[\s(])@((?:[^\s\\,;:()]|\\ )+)/gm)].map(([, path = '']) =>
    resolve(folder, path.replaceAll('\\ ', ' ').replace(/\.$/, '')),
  )
  return [...new Set(paths)].slice(0, maxImports)
}
