import { type Argument, literal } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { Grammars, GuardRule } from '../rule.ts'

/** The folder into which the call extracts; null if it does not extract. */
function extractsInto(call: ProgramCall): Argument | null {
  const here = literal('.', call.frame.span)
  const { operands } = call
  const [verb = '', second] = operands.map(({ value }) => value)
  switch (call.program) {
    case 'tar':
    case 'gtar':
    case 'bsdtar':
    case 'star': {
      const bundle = call.args[0]?.value ?? ''
      const extracts =
        call.has('-x', '--extract', '--get') ||
        (/^[a-zA-Z]{1,20}$/.test(bundle) && bundle.includes('x') && bundle === verb)
      if (!extracts || call.has('-t', '--list', '-O', '--to-stdout', '--to-command')) return null
      return call.value('-C', '--directory') ?? here
    }
    case 'unzip':
      return call.has('-l', '-t', '-p', '-c', '-v', '-Z', '-z') ? null : (call.value('-d') ?? here)
    case '7z':
    case '7za':
    case '7zr':
    case '7zz': {
      if (!/^[xe]$/.test(verb)) return null
      const into = call.args.find(({ value }) => /^-o./.test(value))
      return into ? { ...into, value: into.value.slice(2) } : here
    }
    case 'unrar':
    case 'rar':
      if (!/^[xe]$/.test(verb)) return null
      return operands.length > 2 ? (operands.at(-1) ?? here) : here
    case 'unar':
      return call.value('-o', '-output-directory') ?? here
    case 'ditto':
      return call.has('-x') ? (operands.at(-1) ?? here) : null
    case 'cpio':
      if (!call.has('-i', '--extract') || call.has('-t', '--list')) return null
      return call.value('-D', '--directory') ?? here
    case 'pax':
      return call.has('-r') ? here : null
    case 'dpkg':
    case 'dpkg-deb':
      return call.has('-x', '-X', '--extract', '--vextract', '--raw-extract', '-R') && second
        ? (operands.at(-1) ?? null)
        : null
    case 'jar':
      return call.has('-x', '--extract') || /^[a-z]*x/.test(verb) ? (call.value('-C', '--dir') ?? here) : null
    case 'cp':
    case 'gcp':
      // The content of a folder, rather than the folder.
      return call.has('-r', '-R', '-a', '--recursive', '--archive') &&
        operands.length > 1 &&
        operands.slice(0, -1).some(isContent)
        ? (operands.at(-1) ?? null)
        : null
    case 'rsync':
      return call.has('-n', '--dry-run') ||
        operands.length < 2 ||
        !operands.slice(0, -1).some(({ value }) => value.endsWith('/'))
        ? null
        : (operands.at(-1) ?? null)
    default:
      return null
  }
}

function isContent({ value, glob }: Argument): boolean {
  return /\/\.$|^\.$/.test(value) || (glob && /(^|\/)\*$/.test(value))
}

const settings =
  /^\.(config|ssh|gnupg|aws|azure|kube|docker|mozilla|thunderbird|password-store|local\/(bin|share\/keyrings))(\/|$)|^Library(\/(Application Support|Preferences|Keychains|LaunchAgents))?$/
const personal = /^(Documents|Desktop|Pictures|Music|Movies|Videos|Dropbox|OneDrive)(\/|$)/

/** Whether files that are there may be replaced: asked for in so many options, not by default. */
function overwrites(call: ProgramCall): boolean {
  if (/^7z/.test(call.program)) return call.args.some(({ value }) => value === '-aoa' || value === '-y')
  return call.has('-o', '--overwrite', '-u', '--unconditional', '-f', '-force-overwrite', '-o+', '--overwrite-dir')
}

function isOver(call: ProgramCall, target: Argument): boolean {
  const { class: kind, path } = call.path(target)
  if (kind === 'root' || kind === 'home') return true
  // An explicit system folder has its own rule.
  if (kind === 'system')
    return target.value === '.' || !['tar', 'bsdtar', 'unzip', 'cp', 'gcp', 'rsync'].includes(call.program)
  if (kind !== 'outside' || path === null || !path.startsWith(`${call.context.home}/`)) return false
  const inside = path.slice(call.context.home.length + 1)
  if (['cp', 'gcp', 'rsync'].includes(call.program)) return false
  return settings.test(inside) || (personal.test(inside) && overwrites(call))
}

const keeping = list('-k --keep-old-files --skip-old-files -n --no-clobber --ignore-existing --backup -b')

/** Archives and folders whose content lands among files that are there. */
export const extractingRules: readonly GuardRule[] = [
  {
    id: 'fs/extract-over',
    program: list(
      'tar gtar bsdtar star unzip 7z 7za 7zr 7zz unrar rar unar ditto cpio pax dpkg dpkg-deb jar cp gcp rsync',
    ),
    when: call => {
      // In ditto, -k means a zip.
      if (call.program !== 'ditto' && call.has(...keeping)) return false
      const target = extractsInto(call)
      return target && isOver(call, target) ? target : false
    },
    severity: 'high',
    reason: 'puts files over those of your home folder, its settings or the system',
    safer: 'tar -xzf dotfiles.tgz -C /tmp/dotfiles',
    match: [
      'tar xzf dotfiles.tgz -C ~ --overwrite',
      'cd ~ && tar xzf dotfiles.tgz',
      'unzip -o ~/Downloads/b.zip -d "$HOME"',
      'zcat initrd.gz | (cd / && sudo cpio -idmu)',
      '7z x -aoa settings.7z -o$HOME/.config',
      'cp -a dotfiles/. ~',
      'rsync -a backup/ ~/',
      'cd / && sudo tar xf rootfs.tar',
    ],
    notMatch: [
      'tar xzf x.tgz',
      'tar xzf x.tgz -C /tmp/x',
      'tar xzf node.tgz -C ~/.nvm/versions',
      'tar tzf dotfiles.tgz -C ~',
      'tar xkzf dotfiles.tgz -C ~ -k',
      'unzip -l ~/Downloads/b.zip',
      'unzip -q x.zip -d ~/tools/x',
      '7z l a.7z',
      'cp notes.md ~/',
      'cp -r docs ~/backup-docs',
      'rsync -a src/ ~/backup/src/',
      'cd ~ && tar czf b.tgz notes',
    ],
  },
  {
    id: 'fs/extract-absolute',
    program: ['tar', 'gtar', 'bsdtar'],
    when: call => {
      const bundle = call.args[0]?.value ?? ''
      const isBundle = /^[a-zA-Z]+$/.test(bundle) && bundle === call.operands[0]?.value
      return (
        extractsInto(call) !== null &&
        (call.has('-P', '--absolute-names', '--absolute-paths') || (isBundle && bundle.includes('P')))
      )
    },
    severity: 'high',
    reason: 'lets the archive choose where on this machine its files go',
    safer: 'tar -xf backup.tar -C restored',
    match: ['tar -P -xf backup-etc.tar', 'tar xPf backup.tar', 'tar --absolute-names -xf b.tar'],
    notMatch: ['tar -xf backup.tar', 'tar -cPf backup.tar /srv/app', 'tar tPf a.tar'],
  },
]

export const extractingGrammar: Grammars = {
  cpio: { values: list('-D --directory -F --file -I -O -E -H --format -R --owner') },
  gtar: { values: list('-f --file -C --directory --exclude -T --files-from --strip-components') },
  bsdtar: { values: list('-f --file -C --directory --exclude -T --strip-components -s') },
  unar: { values: list('-o -output-directory -p -password -e'), words: true },
  unrar: { words: true },
  ditto: { values: list('--arch --zlibCompressionLevel') },
  pax: { values: list('-f -s -x -b -o -p -E -G -U -T') },
  '7z': { words: true },
  '7za': { words: true },
  '7zr': { words: true },
  '7zz': { words: true },
}
