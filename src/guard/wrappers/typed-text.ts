import type { Argument } from '../interpret/arguments.ts'
import { parseArgs } from '../parse-args.ts'
import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'

/** What a program types into another terminal or window, with its keys as characters; null if it types nothing. */
export function typedText(call: ProgramCall): Argument | null {
  const keys = keysOf(call)
  const [first] = keys
  if (!first) return null
  const value = keys.map(({ value: key }) => characterOf(key)).join('')
  return { ...first, value, from: keys.reduce((bits, { from }) => bits | from, 0) }
}

function keysOf({ program, args }: ProgramCall): readonly Argument[] {
  const { operands } = parseArgs(args, { values: optionsWithValue[program] ?? [] })
  const [verb, second] = operands.map(({ value }) => value)
  switch (program) {
    case 'tmux':
      return verb !== undefined && /^(send-keys|send|set-buffer|setb)$/.test(verb) ? operands.slice(1) : []
    case 'screen': {
      const at = args.findIndex(({ value }) => value === 'stuff')
      return at < 0 ? [] : args.slice(at + 1).map(unescaped)
    }
    case 'zellij':
      return verb === 'action' && second === 'write-chars' ? operands.slice(2) : []
    case 'kitty':
      return verb === '@' && second === 'send-text' ? operands.slice(2).map(unescaped) : []
    case 'wezterm':
      return verb === 'cli' && second === 'send-text' ? operands.slice(2) : []
    case 'xdotool':
    case 'ydotool':
      return verb === 'type' || verb === 'key' ? operands.slice(1) : []
    case 'wtype':
      return operands
    default:
      return []
  }
}

const optionsWithValue: Readonly<Record<string, readonly string[]>> = {
  tmux: list('-t -N -b -n -L -S -f'),
  zellij: ['--session', '-s'],
  kitty: ['--match', '-m', '--to'],
  wezterm: ['--pane-id'],
  xdotool: ['--delay', '--window'],
  ydotool: ['--key-delay'],
  wtype: ['-d', '-s', '-M', '-m'],
}

function characterOf(key: string): string {
  if (/^(enter|return|kpenter|c-m|c-j)$/i.test(key)) return '\n'
  if (/^space$/i.test(key)) return ' '
  return /^([CMS]-.|F\d+|Up|Down|Left|Right|Escape|Tab|BTab|BSpace|DC|IC|Home|End|NPage|PPage|ctrl\+.+|alt\+.+)$/.test(
    key,
  )
    ? ''
    : key
}

/** screen and kitty read `\n` and `^M` themselves. */
function unescaped(arg: Argument): Argument {
  return { ...arg, value: arg.value.replace(/\\n|\\r|\^M|\\015|\\012/g, '\n') }
}
