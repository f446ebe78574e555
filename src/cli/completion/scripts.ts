// The three scripts, from one description of the commands. The names of commands and flags are our own, so only the texts
// for people need quoting.

export type CompletionTree = CompletionCommand[]

interface CompletionCommand {
  name: string
  about: string
  takesId: boolean
  choices: string[]
  flags: CompletionFlag[]
}

interface CompletionFlag {
  name: string
  about: string
  takesValue: boolean
  takesFile: boolean
  takesId: boolean
  choices: string[]
}

const ids = 'beckon __complete ids 2>/dev/null'

export const scripts = { bash, zsh, fish }

function bash(tree: CompletionTree): string {
  const values = tree.flatMap(({ name, flags }) =>
    flags.filter(flag => flag.takesValue).map(flag => `    ${name}:${flag.name}) ${bashValue(flag)}; return ;;`),
  )
  const flags = tree.map(({ name, flags }) => `      ${name}) words='${flags.map(flag => flag.name).join(' ')}' ;;`)
  const firsts = tree.flatMap(({ name, takesId, choices }) => {
    if (takesId) return [`      ${name}) words=$(${ids}) ;;`]
    return choices.length > 0 ? [`      ${name}) words='${choices.join(' ')}' ;;`] : []
  })
  return `_beckon() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names(tree)} --help --version' -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}:$prev" in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
    esac
  elif ((COMP_CWORD == 2)); then
    case "\${COMP_WORDS[1]}" in
${firsts.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _beckon beckon
`
}

function bashValue({ takesFile, takesId, choices }: CompletionFlag): string {
  if (takesFile) return 'COMPREPLY=($(compgen -f -- "$cur"))'
  if (takesId) return `COMPREPLY=($(compgen -W "$(${ids})" -- "$cur"))`
  return choices.length > 0 ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur"))` : ':'
}

function zsh(tree: CompletionTree): string {
  const about = tree.map(command => `    ${quote(`${command.name}:${command.about}`)}`)
  const cases = tree.map(command => {
    const flags = command.flags.map(flag => quote(`${flag.name}[${plain(flag.about)}]${zshValue(flag)}`))
    const first = command.takesId ? ["'1:id:_beckon_ids'"] : command.choices.length > 0 ? [zshChoices(command)] : []
    return `    ${command.name}) _arguments ${[...flags, ...first, "'*:file:_files'"].join(' ')} ;;`
  })
  return `#compdef beckon
_beckon_ids() { compadd -- $(${ids}) }
_beckon() {
  local -a commands=(
${about.join('\n')}
  )
  if ((CURRENT == 2)); then _describe command commands; return; fi
  local name=$words[2]
  shift words
  ((CURRENT--))
  case $name in
${cases.join('\n')}
  esac
}
compdef _beckon beckon
`
}

function zshValue({ takesValue, takesFile, takesId, choices, name }: CompletionFlag): string {
  if (!takesValue) return ''
  if (takesId) return ':id:_beckon_ids'
  return `:${name.slice(2)}:${takesFile ? '_files' : choices.length > 0 ? `(${choices.join(' ')})` : ' '}`
}

function zshChoices({ choices }: CompletionCommand): string {
  return `'1:what:(${choices.join(' ')})'`
}

function fish(tree: CompletionTree): string {
  const lines = tree.flatMap(({ name, about, takesId, choices, flags }) => {
    const inside = `complete -c beckon -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c beckon -n __fish_use_subcommand -f -a ${name} -d ${quote(about)}`,
      ...(takesId ? [`${inside} -f -a '(${ids})'`] : []),
      ...(choices.length > 0 ? [`${inside} -f -a '${choices.join(' ')}'`] : []),
      ...flags.map(flag => `${inside} -l ${flag.name.slice(2)}${fishValue(flag)} -d ${quote(flag.about)}`),
    ]
  })
  return `${lines.join('\n')}\n`
}

function fishValue({ takesValue, takesFile, takesId, choices }: CompletionFlag): string {
  if (!takesValue) return ''
  if (takesFile) return ' -r -F'
  if (takesId) return ` -x -a '(${ids})'`
  return choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : ' -x'
}

function names(tree: CompletionTree): string {
  return tree.map(({ name }) => name).join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** zsh gives brackets and colons a meaning. */
function plain(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, ' ')
}
