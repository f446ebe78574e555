import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

const managers = list(
  'apt apt-get aptitude yum dnf microdnf tdnf zypper apk brew port snap flatpak pkg pkg_delete opkg emerge eopkg xbps-remove swupd choco scoop winget guix tlmgr pkgutil rpm-ostree urpme slackpkg removepkg',
)

/** Whether it only simulates. */
function isSimulation(call: ProgramCall): boolean {
  return (
    call.has(
      '-s',
      '--simulate',
      '--just-print',
      '--no-act',
      '--recon',
      '--assumeno',
      '--test',
      '-d',
      '--download-only',
      '-n',
    ) && !/^(brew|snap|flatpak)$/.test(call.program)
  )
}

export const systemPackageRules: readonly GuardRule[] = [
  {
    id: 'packages/remove',
    program: managers,
    when: call => {
      if (isSimulation(call)) return false
      if (/^(xbps-remove|pkg_delete|urpme|removepkg)$/.test(call.program)) return true
      if (call.program === 'emerge') return call.has('--unmerge', '-C', '--depclean', '-c')
      if (call.program === 'pkgutil') return call.has('--forget')
      const verb = call.operands[0]?.value ?? ''
      if (/^(cleanup)$/.test(verb)) return false
      return (
        /^(remove|purge|autoremove|autopurge|erase|uninstall|del|delete|rm|ri|untap|unmerge|remove-orphans|reset|rollback|deinstall)$/.test(
          verb,
        ) ||
        (/^history$/.test(verb) && /^history (undo|rollback)/.test(firstWords(call)))
      )
    },
    severity: 'medium',
    reason: 'removes programs from this machine, with everything that depends on them',
    safer: 'apt-get remove --simulate nginx',
    rewrite: { program: ['apt', 'apt-get', 'aptitude'], append: '--simulate' },
    match: [
      'sudo apt-get -y remove nginx',
      'apt purge mysql-server',
      'dnf -y autoremove',
      'brew uninstall node',
      'apk del x',
      'snap remove x',
    ],
    notMatch: [
      'apt install x',
      'apt-get -s remove x',
      'brew cleanup',
      'apt list',
      'dnf search remove',
      'brew install remove',
    ],
  },
  {
    id: 'packages/remove-low',
    program: ['dpkg', 'rpm', 'pacman', 'yay', 'paru', 'pamac', 'installp'],
    when: call => {
      const words = call.args.map(({ value }) => value)
      if (call.program === 'dpkg')
        return (
          call.has('-r', '--remove', '-P', '--purge', '--force-all', '--force-depends') ||
          (call.has('-i', '--install') && call.frame.root)
        )
      if (call.program === 'rpm')
        return (
          call.has('-e', '--erase', '--nodeps', '--force') ||
          (call.has('-i', '-U', '--install', '--upgrade') && !call.has('-q', '--query'))
        )
      if (call.program === 'pamac') return call.isSub('remove')
      return words.some(word => /^-R|^--remove$|^-Scc$|^-Dd?$/.test(word))
    },
    severity: 'high',
    reason: "removes or installs packages without the package manager's checks",
    match: ['dpkg --purge x', 'rpm -e --nodeps x', 'pacman -Rns x', 'sudo dpkg -i x.deb'],
    notMatch: ['dpkg -l', 'dpkg -S /bin/ls', 'rpm -qa', 'rpm -qi x', 'pacman -Q', 'pacman -Ss rust'],
  },
  {
    id: 'packages/system-upgrade',
    program: [
      'apt',
      'apt-get',
      'aptitude',
      'dnf',
      'zypper',
      'do-release-upgrade',
      'softwareupdate',
      'apt-key',
      'add-apt-repository',
      'rpm-ostree',
      'freebsd-update',
      'dpkg-reconfigure',
      'apt-add-repository',
      'yum-config-manager',
      'update-alternatives',
    ],
    when: call => {
      if (isSimulation(call)) return false
      const text = firstWords(call)
      if (call.program === 'do-release-upgrade') return !call.has('-c', '--check-dist-upgrade-only')
      if (call.program === 'apt-key') return /^(add|del|adv)\b/.test(text) || call.has('--keyserver')
      if (/add-apt-repository|apt-add-repository|yum-config-manager/.test(call.program)) return true
      if (call.program === 'softwareupdate') return call.has('-i', '-ia', '--install', '-a') || call.has('-R')
      if (call.program === 'update-alternatives') return call.has('--set', '--remove', '--remove-all', '--install')
      if (call.program === 'dpkg-reconfigure') return true
      if (
        call.has(
          '--allow-unauthenticated',
          '--force-yes',
          '--allow-downgrades',
          '--allow-remove-essential',
          '--nogpgcheck',
          '--no-gpg-checks',
        )
      )
        return true
      return (
        /^(dist-upgrade|full-upgrade|distro-sync|system-upgrade|dup|rebase|deploy|install|fetch)\b/.test(text) &&
        !/^install\b/.test(text)
      )
    },
    severity: 'medium',
    reason: 'upgrades the whole system, or changes whose packages it trusts',
    match: [
      'sudo apt-get dist-upgrade -y',
      'apt full-upgrade',
      'do-release-upgrade',
      'sudo add-apt-repository ppa:a/b',
      'apt-get install --allow-unauthenticated x',
    ],
    notMatch: ['apt-get install -y x', 'apt-get update', 'apt-get -s dist-upgrade', 'dnf install git', 'apt-key list'],
  },
]
