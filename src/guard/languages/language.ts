/** The languages that are read; relatives with the same strings, comments and calls share one entry. */
export type Language =
  | 'python'
  | 'javascript'
  | 'ruby'
  | 'perl'
  | 'php'
  | 'lua'
  | 'awk'
  | 'applescript'
  | 'r'
  | 'julia'
  | 'elixir'
  | 'erlang'
  | 'haskell'
  | 'lisp'
  | 'nim'
  | 'octave'
  | 'tcl'
  | 'java'
  | 'c'
  | 'rust'

/** The operator that joins two strings. */
export const joinOperators: Readonly<Partial<Record<Language, string>>> = {
  python: '+',
  javascript: '+',
  ruby: '+',
  perl: '.',
  php: '.',
  lua: '..',
  applescript: '&',
  julia: '*',
  elixir: '<>',
  erlang: '++',
  haskell: '++',
  nim: '&',
  java: '+',
  c: '+',
  rust: '+',
}
