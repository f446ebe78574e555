// Enough colour to read code: comments, strings, numbers and the keywords that most languages share. It knows no grammar,
// and it never changes the text.

type Tint = 'comment' | 'string' | 'number' | 'keyword' | 'added' | 'removed' | 'hunk' | 'file' | null

export interface Piece {
  readonly text: string
  readonly tint: Tint
}

const maxLength = 100_000

export function highlight(text: string, language: string): Piece[][] {
  const lines = text.split('\n')
  const name = language.toLowerCase()
  if (isDiff(text, name)) return lines.map(line => [{ text: line, tint: diffTint(line) }])
  if (name === '' || name === 'text' || name === 'txt' || text.length > maxLength) {
    return lines.map(line => [{ text: line, tint: null }])
  }
  return byLine(pieces(text, hashComments.has(name)))
}

const hashComments = new Set([
  'sh',
  'bash',
  'shell',
  'zsh',
  'console',
  'py',
  'python',
  'rb',
  'ruby',
  'yaml',
  'yml',
  'toml',
  'ini',
  'make',
  'makefile',
  'dockerfile',
  'perl',
  'r',
  'hcl',
  'tf',
  'nix',
])

function isDiff(text: string, language: string): boolean {
  return language === 'diff' || language === 'patch' || (language === '' && /^@@ -\d+/m.test(text))
}

function diffTint(line: string): Tint {
  if (/^(diff |index |\+\+\+ |--- |rename |new file|deleted file|similarity )/.test(line)) return 'file'
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : null
}

const keywords =
  'abstract|and|as|async|await|break|case|catch|class|const|continue|def|default|defer|delete|do|done|elif|else|enum|esac|except|export|extends|false|fi|final|finally|fn|for|from|func|function|go|if|impl|import|in|interface|is|lambda|let|loop|match|mod|mut|new|nil|none|not|null|or|package|pass|private|pub|public|raise|return|self|select|static|struct|super|switch|then|this|throw|trait|true|try|type|undefined|union|unless|until|use|var|void|where|while|with|yield'
const strings = '"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`'
const rest = `(?<string>${strings})|(?<number>\\b\\d[\\w.]*\\b)|(?<keyword>\\b(?:${keywords})\\b)`
const slashed = new RegExp(`(?<comment>//[^\\n]*|/\\*[\\s\\S]*?\\*/|<!--[\\s\\S]*?-->)|${rest}`, 'gi')
const hashed = new RegExp(`(?<comment>(?<=^|\\s)#[^\\n]*)|${rest}`, 'gim')

function pieces(text: string, hash: boolean): Piece[] {
  const found: Piece[] = []
  let at = 0
  for (const match of text.matchAll(hash ? hashed : slashed)) {
    const { comment, string, number } = match.groups ?? {}
    const tint = comment ? 'comment' : string ? 'string' : number ? 'number' : 'keyword'
    if (match.index > at) found.push({ text: text.slice(at, match.index), tint: null })
    found.push({ text: match[0], tint })
    at = match.index + match[0].length
  }
  return at < text.length ? [...found, { text: text.slice(at), tint: null }] : found
}

function byLine(found: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const { text, tint } of found) {
    text.split('\n').forEach((part, i) => {
      if (i > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, tint })
    })
  }
  return lines
}
