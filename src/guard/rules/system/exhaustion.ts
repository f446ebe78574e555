import { isEndlessFile } from '../../interpret/endless-output.ts'
import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'

/** Filling the disk or the memory. */
export const exhaustionRules: readonly GuardRule[] = [
  {
    id: 'system/endless-data',
    program: [
      '>',
      '>>',
      'tee',
      'sponge',
      'sort',
      'gsort',
      'tac',
      'tail',
      'shuf',
      'mapfile',
      'readarray',
      'xargs',
      'parallel',
      'dd',
    ],
    when: call => {
      if (call.program === 'dd') return isEndlessCopy(call)
      const isEndless = call.stdin.endless === true || call.args.some(({ value }) => isEndlessFile(value))
      if (!isEndless) return false
      return /^(>|>>|tee|sponge)$/.test(call.program)
        ? call.stdin.endless === true &&
            call.operands.some(arg => call.pathClass(arg) !== 'sink' && call.pathClass(arg) !== 'device')
        : !call.args.some(({ value }) => /^(-[cn]\d+|--(lines|bytes)\b.*)$/.test(value) && call.program !== 'xargs')
    },
    severity: 'high',
    reason: 'fills the disk or the memory with data that never ends',
    match: [
      'yes > big.txt',
      'cat /dev/zero > fill',
      'yes | sort',
      'dd if=/dev/zero of=fill bs=1M',
      'dd if=/dev/zero of=/dev/shm/fill bs=1M',
      'yes | xargs -P 0 -n 1 node work.js',
      'cat /dev/urandom | base64 >> x.log',
      'tail /dev/zero',
    ],
    notMatch: [
      'yes | head -n 100 > lines.txt',
      'yes > /dev/null',
      'tr -dc a-z < /dev/urandom | head -c 20 > token.txt',
      'dd if=/dev/zero of=disk.img bs=1M count=64',
      'yes | npm init',
      'od -An -N4 /dev/urandom > seed',
      'sort < names.txt',
    ],
  },
  {
    id: 'system/huge-data',
    program: ['head', 'tail', 'dd', 'fallocate', 'mkfile', 'openssl'],
    when: call => sizeOf(call) >= tooLarge,
    severity: 'medium',
    reason: 'takes so much space that the disk or the memory may be full',
    match: ['head -c 500G /dev/zero > fill', 'fallocate -l 2T big', 'dd if=/dev/zero of=big bs=1G count=400'],
    notMatch: [
      'head -c 1M /dev/zero > small',
      'fallocate -l 1G swap.img',
      'dd if=a of=b bs=4M count=100',
      'head -n 500 log',
    ],
  },
  {
    id: 'system/stress',
    program: ['stress', 'stress-ng', 'stressapptest', 'memtester'],
    oneOf: [
      { program: ['memtester', 'stressapptest'] },
      {
        program: ['stress', 'stress-ng'],
        argMatches: /^(-m|-d|-i|--(vm|hdd|io|fork|all|aggressive|class|bigheap|brk|malloc|sequential|fallocate)\b.*)$/,
      },
    ],
    severity: 'medium',
    reason: 'takes all memory, processes or disk space of the machine on purpose',
    match: ['stress-ng --vm 8 --vm-bytes 95%', 'stress -m 16 --vm-bytes 4G'],
    notMatch: ['stress-ng --cpu 2 --timeout 5s', 'stress --version'],
  },
]

const tooLarge = 50e9

/** A copy from a device that never ends, without a count, into a file. */
function isEndlessCopy({ args, stdin }: ProgramCall): boolean {
  const value = (name: string) => args.find(arg => arg.value.startsWith(`${name}=`))?.value.slice(name.length + 1)
  const [input, output] = [value('if'), value('of')]
  if (output === undefined || /^\/dev\/(?!shm\/|mqueue\/)/.test(output) || value('count') !== undefined) return false
  return input === undefined ? stdin.endless === true : isEndlessFile(input)
}

function sizeOf({ program, args, stdin }: ProgramCall): number {
  const after = (pattern: RegExp) => {
    const at = args.findIndex(({ value }) => pattern.test(value))
    const given = args[at]?.value ?? ''
    return at < 0 ? '' : /\d/.test(given) ? given.replace(/^[^\d]*/, '') : (args[at + 1]?.value ?? '')
  }
  const named = (name: string) => args.find(({ value }) => value.startsWith(`${name}=`))?.value.slice(name.length + 1)
  if (program === 'dd') return bytes(named('bs') ?? '512') * bytes(named('count') ?? '0')
  if (program === 'fallocate') return bytes(after(/^(-[a-z]*l|--length)(=?\d.*)?$/))
  if (program === 'mkfile') return bytes(args.find(({ value }) => /^\d/.test(value))?.value ?? '')
  if (program === 'openssl') return args[0]?.value === 'rand' ? bytes(args.at(-1)?.value ?? '') : 0
  const isDevice = stdin.endless === true || args.some(({ value }) => isEndlessFile(value))
  return isDevice ? bytes(after(/^(-c|--bytes)(=?\d.*)?$/)) : 0
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15, e: 1e18 }

function bytes(size: string): number {
  const [, number = '', unit = ''] = /^(\d{1,15})([kmgtpe]?)(i?b)?$/i.exec(size) ?? []
  return number === '' ? 0 : Number(number) * (units[unit.toLowerCase()] ?? 0)
}
