import type { Language } from './language.ts'

const doubleQuoted = String.raw`"(?:[^"\\]|\\[\s\S])*(?:"|$)`
const singleQuoted = String.raw`'(?:[^'\\]|\\[\s\S])*(?:'|$)`
const backtick = '`(?:[^`\\\\]|\\\\[\\s\\S])*(?:`|$)'
/** With `#{…}`, which may contain quotes. */
const interpolated = String.raw`"(?:[^"\\#]|\\[\s\S]|#\{[^{}]*\}|#)*(?:"|$)`
const hashComment = String.raw`(?<comment>(?<![$\\&])#[^\n]*)`
const slashComment = String.raw`(?<comment>(?<!:)\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))`
const dashComment = String.raw`(?<comment>(?<![-\w])--(?!\[)[^\n]*)`
const plain = `(?<string>${doubleQuoted}|${singleQuoted})`

/**
 * What is not code: the group `comment`, the group `string` with its `prefix`, and lists of words such as `%w[a b]` as the
 * group `words`.
 */
export const literalPatterns: Readonly<Record<Language, RegExp>> = {
  python: new RegExp(
    String.raw`${hashComment}|(?<prefix>\b[rbuf]{1,2})?(?<string>"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${doubleQuoted}|${singleQuoted})`,
    'gi',
  ),
  javascript: new RegExp(
    `(?<comment>(?<![:"'])//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$))|(?<string>${doubleQuoted}|${singleQuoted}|${backtick})`,
    'g',
  ),
  ruby: new RegExp(
    String.raw`${hashComment}|%[wWiI][({[|](?<words>[^)}\]|]*)[)}\]|]|(?<string>${interpolated}|${singleQuoted}|${backtick}|%[qQx]?[({[][^)}\]]*[)}\]])`,
    'g',
  ),
  perl: new RegExp(
    String.raw`${hashComment}|\bqw\s*[({[/](?<words>[^)}\]/]*)[)}\]/]|(?<string>${doubleQuoted}|${singleQuoted}|${backtick}|<(?=[^<>\n;]*[*?/])[~/$\w][^<>\n;]*>|\bq[qx]?\s*[({[][^)}\]]*[)}\]])`,
    'g',
  ),
  php: new RegExp(`${slashComment}|(?<string>${doubleQuoted}|${singleQuoted}|${backtick})`, 'g'),
  lua: new RegExp(
    String.raw`(?<comment>--(?!\[\[)[^\n]*)|(?<string>${doubleQuoted}|${singleQuoted}|\[\[[\s\S]*?(?:\]\]|$))`,
    'g',
  ),
  awk: new RegExp(`${hashComment}|(?<string>${doubleQuoted})`, 'g'),
  applescript: new RegExp(`(?<comment>(?:^|\\n)--[^\\n]*)|(?<string>${doubleQuoted})`, 'g'),
  r: new RegExp(`${hashComment}|${plain}`, 'g'),
  julia: new RegExp(
    String.raw`${hashComment}|(?<string>"""[\s\S]*?(?:"""|$)|${doubleQuoted}|${backtick}|(?<![\w)\]])'(?:[^'\\\n]|\\.){1,8}')`,
    'g',
  ),
  elixir: new RegExp(
    String.raw`${hashComment}|~[wW][({[](?<words>[^)}\]]*)[)}\]]|(?<string>"""[\s\S]*?(?:"""|$)|${interpolated}|${singleQuoted}|~[sScC][({[][^)}\]]*[)}\]])`,
    'g',
  ),
  erlang: new RegExp(String.raw`(?<comment>%[^\n]*)|(?<string>${doubleQuoted})`, 'g'),
  haskell: new RegExp(`${dashComment}|(?<string>${doubleQuoted})`, 'g'),
  lisp: new RegExp(String.raw`(?<comment>;[^\n]*)|(?<string>${doubleQuoted})`, 'g'),
  nim: new RegExp(`${hashComment}|(?<string>${doubleQuoted})`, 'g'),
  octave: new RegExp(
    String.raw`(?<comment>[%#][^\n]*)|(?<string>${doubleQuoted}|(?<![\w)\]}'])'(?:[^'\n]|'')*(?:'|$))`,
    'g',
  ),
  tcl: /(?<comment>(?:^|\n)\s*#[^\n]*)|(?<string>\0\0)/g,
  java: new RegExp(String.raw`${slashComment}|(?<string>"""[\s\S]*?(?:"""|$)|${doubleQuoted}|${singleQuoted})`, 'g'),
  c: new RegExp(
    String.raw`${slashComment}|(?<prefix>[@$])?(?<string>${doubleQuoted}|'(?:[^'\\\n]|\\.){1,8}'|${backtick})`,
    'g',
  ),
  rust: new RegExp(String.raw`${slashComment}|(?<prefix>\br)?#?(?<string>${doubleQuoted})#?`, 'g'),
}
