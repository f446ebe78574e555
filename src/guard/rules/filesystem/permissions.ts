import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'

const isRecursive = (call: ProgramCall) => call.has('-R', '--recursive')
const worldWritable =
  /^0?[0-7]?(777|776|666|667|77[2367]|66[2367])$|^([ugo]*[ao][ugo]*)?[+=][rxXst]*w|^[ugo]*o[ugo]*[+=]r?w/
const inaccessible = /^0?0{1,3}$|^a?-r?w?x?r|^[ugoa]*-rwx$/
const setId = /^0?[2467][0-7]{3}$|^[ugoa]*[+=][rwxX]*s/

/** chmod accepts a mode that looks like an option: `chmod -x file`. */
function modeOf(call: ProgramCall): string {
  const words = call.args.filter(({ value }) => !/^-[RvcfhHLP]+$/.test(value) && !value.startsWith('--'))
  return words[0]?.value ?? ''
}

function modes(call: ProgramCall): string[] {
  return modeOf(call).split(',')
}

const protectedClasses = ['root', 'home', 'system', 'device', 'outside', 'dynamic', 'workspace-root']

function targetOf(call: ProgramCall, classes: readonly string[]): Argument | false {
  return call.operands.slice(1).find(arg => classes.includes(call.pathClass(arg))) ?? false
}

export const permissionRules: readonly GuardRule[] = [
  {
    id: 'fs/chmod-everybody',
    program: 'chmod',
    when: call =>
      modes(call).some(mode => worldWritable.test(mode)) &&
      (isRecursive(call) ||
        !call.operands.slice(1).every(arg => ['tmp', 'build', 'sink'].includes(call.pathClass(arg)))),
    severity: 'medium',
    reason: 'lets every user of this machine change these files',
    safer: 'chmod u+rwX,go+rX file',
    rewrite: {
      replace: { '777': '755', '0777': '0755', '666': '644', '0666': '0644', 'a+rwx': 'u+rwx,go+rx', 'o+w': 'u+w' },
    },
    match: [
      'chmod -R 777 .',
      'chmod 777 app.sh',
      'chmod a+rwx -R /srv',
      'sudo chmod 666 /var/run/docker.sock',
      'chmod o+w config.yml',
      'chmod 0777 x',
    ],
    notMatch: [
      'chmod +x run.sh',
      'chmod 755 bin/x',
      'chmod 644 a',
      'chmod 600 ~/.ssh/id_rsa',
      'chmod u+w a',
      'chmod -R u+rwX dist',
    ],
  },
  {
    id: 'fs/chmod-nobody',
    program: 'chmod',
    when: call => modes(call).some(mode => inaccessible.test(mode)),
    severity: 'high',
    reason: 'locks every user out of these files',
    match: ['chmod 000 file', 'chmod -R 000 ~'],
    notMatch: ['chmod 700 x', 'chmod -x script.sh'],
  },
  {
    id: 'fs/set-user-id',
    program: 'chmod',
    when: call => modes(call).some(mode => setId.test(mode)),
    severity: 'high',
    reason: "makes a program run with its owner's rights, no matter who starts it",
    match: ['chmod u+s /bin/bash', 'chmod 4755 x', 'chmod +s x'],
    notMatch: ['chmod 0755 x', 'chmod +x x', 'chmod 1777 /tmp/x'],
  },
  {
    id: 'fs/permissions-far',
    program: ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'chflags', 'xattr'],
    when: call => {
      if (isRecursive(call)) {
        const here = targetOf(call, protectedClasses)
        if (!here) return false
        // Taking a workspace back from root is common.
        return call.pathClass(here) === 'workspace-root' && call.path(here).path === call.context.workspace
          ? false
          : here
      }
      return targetOf(call, ['root', 'home', 'system', 'device'])
    },
    severity: 'high',
    reason: 'changes who can access system files or your home folder',
    match: [
      'chown -R me /',
      'sudo chown -R www-data /var/www',
      'chmod -R 755 /usr',
      'chown me ~',
      'chmod 644 /etc/shadow',
      'chgrp -R users ~/x',
    ],
    notMatch: ['sudo chown -R me:me .', 'chmod -R 755 dist', 'chown me file', 'chmod 600 ~/.ssh/id_rsa'],
  },
]
