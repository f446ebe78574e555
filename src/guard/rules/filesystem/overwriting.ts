import type { Argument } from '../../interpret/arguments.ts'
import { fileKey } from '../../interpret/files.ts'
import type { PathClass } from '../../paths.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { writeTargets } from '../../write-targets.ts'
import type { GuardRule } from '../rule.ts'

const far: readonly PathClass[] = ['root', 'home', 'system', 'device', 'git', 'outside', 'dynamic']
const near: readonly PathClass[] = ['workspace', 'workspace-root']

// Files that a program keeps data in. In the workspace, git usually ignores them, so no commit has them.
const dataFile =
  /\.(db3?|s3db|sqlite3?|sqlitedb|mdb|accdb|ldb|rdb|aof|ibd|frm|myd|mv\.db|duckdb|realm|kdbx?|keychain(-db)?|keyring|wallet|qcow2?|vdi|vmdk|vhdx?|img|luks|mbox|pst)$|(^|\/)\.env(\.(local|prod(uction)?|staging|dev(elopment)?))?$/i
const binaryFile =
  /\.(db3?|s3db|sqlite3?|mdb|accdb|duckdb|realm|kdbx?|keychain(-db)?|keyring|wallet|qcow2?|vdi|vmdk|vhdx?|mbox|pst|od[tsp]|docx?|xlsx?|pptx?|psd|xcf|kra)$/i
const disposable = /(^|[-_./])(tests?|tmp|temp|fixtures?|scratch|spec|e2e|empty|example|sample|mock|cache)([-_./\d]|$)/i

/** Whether losing the content of this file loses something. */
function holdsData(call: ProgramCall, arg: Argument): boolean {
  const kind = call.pathClass(arg)
  if (far.includes(kind)) return !/\.(log|lock|pid|tmp)$/.test(arg.value)
  return near.includes(kind) && dataFile.test(arg.value) && !disposable.test(arg.value)
}

const findData = (call: ProgramCall, targets: readonly Argument[]) => targets.find(arg => holdsData(call, arg)) ?? false

/** The files that the call leaves empty, in whole or in part. */
function emptiedFiles(call: ProgramCall): readonly Argument[] {
  const { program, operands, stdin } = call
  switch (program) {
    case 'ln':
    case 'gln':
      return operands[0]?.value === '/dev/null' && call.has('-f', '--force') ? writeTargets(call) : []
    case '>':
    case 'tee':
    case 'sponge':
      if (call.has('-a', '--append')) return []
      if (stdin.text?.trim() === '' || noise.test(stdin.file ?? '')) return operands
      return operands.filter(arg => losesItself(call, arg))
    case 'cp':
    case 'gcp':
    case 'install':
    case 'rsync':
    case 'scp':
      return operands[0]?.value === '/dev/null' ? writeTargets(call) : []
    case 'truncate': {
      const size = call.value('-s', '--size')?.value ?? ''
      if (call.has('-r', '--reference')) return operands
      // A size with + or > only ever makes the file longer.
      return /^[\d<\-/]/.test(size) &&
        (!near.some(kind => operands[0] && call.pathClass(operands[0]) === kind) || /^0|^-/.test(size))
        ? operands
        : []
    }
    case 'fallocate':
      return call.has(...list('-p --punch-hole -c --collapse-range -z --zero-range')) ? operands : []
    case 'xfs_io':
      return call.values('-c').some(({ value }) => /^(truncate|fpunch|fcollapse|fzero|pwrite)\b/.test(value))
        ? operands
        : []
    case 'sed':
    case 'gsed': {
      const script = call.value('-e', '--expression')?.value ?? operands[0]?.value ?? ''
      return /^([01],\$ ?)?d;?$/.test(script.trim()) ? writeTargets(call) : []
    }
    default:
      return []
  }
}

/** `head -1 a | tee a`: the file is emptied while it is read. sponge waits, and writes what the filter has left of it. */
function losesItself({ program, stdin: { sources }, cwd }: ProgramCall, { value }: Argument): boolean {
  if (!sources?.files.includes(fileKey(value, cwd))) return false
  return program !== 'sponge' || sources.areShortened
}

const noise = /^\/dev\/(zero|null|u?random|full)$/

/** What dd writes into a file that is there: with conv=notrunc it must be, elsewhere it may be. */
function overwrittenByDd(call: ProgramCall): Argument | false {
  const setting = (name: string) =>
    call.args.find(({ value }) => value.startsWith(`${name}=`))?.value.slice(name.length + 1) ?? ''
  const isNoise = noise.test(setting('if'))
  const patches = setting('conv').split(',').includes('notrunc') || setting('seek') !== ''
  return (
    writeTargets(call).find(arg => {
      const kind = call.pathClass(arg)
      if (['outside', 'home', 'git', 'system'].includes(kind)) return true
      if (!near.includes(kind) || disposable.test(arg.value)) return false
      const isData = dataFile.test(arg.value) && !/\.img$/.test(arg.value)
      return isNoise ? patches || isData : patches && isData
    }) ?? false
  )
}

const personalFolder =
  /\/(Documents|Desktop|Pictures|Photos|Music|Movies|Videos|Dropbox|OneDrive|Nextcloud|iCloud[^/]*|Google Drive|Books|Notes|Mail)(\/|$)/i

/** Programs that rewrite the files they are given. */
const rewriters = list('mogrify exiftool jpegoptim optipng pngquant ccrypt ccencrypt mcrypt qpdf')

function rewritten(call: ProgramCall): readonly Argument[] {
  const { program, operands } = call
  if (program === 'exiftool')
    return call.has('-overwrite_original', '-overwrite_original_in_place', '-delete_original', '-delete_original!')
      ? operands
      : []
  if (program === 'ccrypt') return call.has('-d', '--decrypt', '-c', '--cat') ? [] : operands
  if (program === 'mcrypt') return call.has('-u', '--unlink') ? operands : []
  if (program === 'qpdf') return call.has('--replace-input') ? operands : []
  if (program === 'pngquant') return call.has('--ext', '-f', '--force') ? operands : []
  return /^(mogrify|jpegoptim|optipng|ccencrypt)$/.test(program) ? operands : []
}

/** Losing what a file held while the file stays. */
export const overwritingRules: readonly GuardRule[] = [
  {
    id: 'fs/empty-data',
    program: list('> tee sponge ln gln cp gcp install rsync scp truncate fallocate xfs_io sed gsed'),
    when: call => findData(call, emptiedFiles(call)),
    severity: 'high',
    reason: 'empties a file that holds data, or fills it with noise',
    match: [
      'cp /dev/null ~/data/ledger.sqlite',
      'truncate -s0 prisma/dev.db',
      'cp /dev/null .env',
      'grep -v . ~/journal.txt | sponge ~/journal.txt',
      'head -1 ~/notes.txt | tee ~/notes.txt',
      'sort ~/notes.txt | cat > ~/notes.txt',
      ': > db/production.sqlite3',
      'true | tee ~/notes.md',
      'cat /dev/urandom > ~/Pictures/photo.jpg',
      'ln -sf /dev/null ~/Documents/a.odt',
      'fallocate --punch-hole -o 0 -l 10G /srv/vm/win11.qcow2',
      'sort ~/notes/contacts.txt > ~/notes/contacts.txt',
      "sed -i '1,$d' ~/notes/todo.md",
      'truncate -s -100M /srv/vm/disk.qcow2',
    ],
    notMatch: [
      'cp /dev/null app.log',
      'truncate -s 10M build/fixtures/big.bin',
      'truncate -s 1G disk.img',
      ': > test/fixtures/empty.db',
      ': > src/index.ts',
      ': > .env.test',
      'sort ~/notes.txt | sponge ~/notes.txt',
      'jq . package.json | sponge package.json',
      'head -1 ~/notes.txt | tee -a ~/notes.txt',
      'head -1 ~/notes.txt | tee ~/first.txt',
      'echo hi | tee ~/notes.md',
      'fallocate -l 1G vm.img',
      'sort notes.txt > sorted.txt',
      "sed -i '/^#/d' ~/notes/todo.md",
    ],
  },
  {
    id: 'fs/write-data',
    program: ['>', '>>'],
    operandIn: ['outside'],
    operandMatches: binaryFile,
    severity: 'high',
    reason: 'writes into a document or a database outside the workspace, which only its own program can do safely',
    match: [
      'echo x > ~/vault.kdbx',
      'cat notes.txt >> ~/Documents/thesis.odt',
      `python3 -c "open('/home/me/a.sqlite', 'w').close()"`,
    ],
    notMatch: [
      'echo x > ~/notes.txt',
      'pg_dump app > ~/app.dump',
      'echo x > dev.db',
      'curl -s localhost:3000/a.pdf > ~/a.pdf',
    ],
  },
  {
    id: 'fs/dd-over',
    program: ['dd', 'dcfldd', 'dc3dd', 'gdd'],
    when: overwrittenByDd,
    severity: 'critical',
    reason: 'writes over the content of a file, byte by byte',
    match: [
      'dd if=/dev/zero of=/home/me/vault.img bs=1M count=512 conv=notrunc',
      'dd if=/dev/urandom of=~/vault.kdbx bs=1M count=4',
      'dd if=/dev/zero of=data/app.db bs=4k count=1 conv=notrunc',
    ],
    notMatch: [
      'dd if=/dev/zero of=test.img bs=1M count=10',
      'dd if=/dev/zero of=/tmp/upload.bin bs=1M count=5',
      'dd if=package-lock.json of=/dev/null bs=4k',
      'dd if=in.bin of=part.bin bs=1k skip=2',
    ],
  },
  {
    id: 'fs/rewrite-outside',
    program: rewriters,
    when: call =>
      rewritten(call).find(arg => ['outside', 'home', 'system', 'root'].includes(call.pathClass(arg))) ?? false,
    severity: 'high',
    reason: 'rewrites files outside the workspace and keeps no original',
    match: [
      'mogrify -resize 50% ~/Pictures/*.jpg',
      'exiftool -overwrite_original -all= ~/Pictures',
      'ccencrypt ~/Documents/a.ods',
    ],
    notMatch: ['mogrify -resize 50% assets/*.png', 'exiftool ~/Pictures/a.jpg', 'exiftool -all= ~/Pictures/a.jpg'],
  },
  {
    id: 'fs/move-over',
    program: ['mv', 'gmv'],
    none: list('-n --no-clobber -i --interactive -b --backup'),
    when: call => {
      const [target] = writeTargets(call)
      const source = call.operands[0]
      if (!target || !source || call.pathClass(source) !== 'tmp' || call.pathClass(target) !== 'outside') return false
      return personalFolder.test(target.value) && /[^/]\.\w{2,5}$/.test(target.value) ? target : false
    },
    severity: 'high',
    reason: 'replaces one of your documents',
    safer: 'mv -n /tmp/t ~/Documents/tax.ods',
    match: ['mv /tmp/t ~/Documents/tax.ods'],
    notMatch: ['mv /tmp/report.pdf ~/Documents/', 'mv -n /tmp/t ~/Documents/tax.ods', 'mv /tmp/t out.ods'],
  },
]
