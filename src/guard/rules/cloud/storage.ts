import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

/** Tools for object storage. */
export const storageRules: readonly GuardRule[] = [
  {
    id: 'cloud/gsutil',
    program: 'gsutil',
    none: ['-n'],
    when: call => {
      const [verb = '', next = ''] = call.operands.map(({ value }) => value)
      if (
        /^(rm|rb|mv|mb|rewrite|setmeta|compose|notification|retention|lifecycle|cors|web|versioning|defacl|kms|hmac)$/.test(
          verb,
        )
      )
        return !/^(get|list)$/.test(next)
      if (/^(acl|iam)$/.test(verb)) return /^(set|ch)$/.test(next)
      if (verb === 'rsync' && call.has('-d')) return true
      return /^(cp|rsync)$/.test(verb) && /^gs:/.test(call.operands.at(-1)?.value ?? '')
    },
    severity: 'high',
    reason: 'deletes, overwrites or exposes objects in a bucket',
    safer: 'gsutil rsync -n -d -r dist gs://bucket',
    match: ['gsutil -m rm -r gs://b', 'gsutil rsync -d -r x gs://b', 'gsutil iam ch allUsers:objectViewer gs://b'],
    notMatch: ['gsutil ls', 'gsutil cp gs://b/x .', 'gsutil rsync -n -d x gs://b', 'gsutil acl get gs://b'],
  },
  {
    id: 'cloud/s3-tools',
    program: ['s3cmd', 's4cmd', 's5cmd', 'mc', 'mcli', 'azcopy', 'b2', 'swift'],
    none: ['--dry-run', '-n', '--dry'],
    when: call => {
      const [verb = ''] = call.operands.map(({ value }) => value)
      const target = call.operands.at(-1)?.value ?? ''
      if (
        /^(del|rm|rb|mv|remove|rmdir|delete|delete-.*|setacl|setpolicy|put|mb|expire|modify|anonymous|policy|admin|retention)$/.test(
          verb,
        )
      )
        return !/ (list|get|info|ls)\b/.test(firstWords(call))
      if (verb === 'bucket' || verb === 'file') return / (delete|hide|update|upload)\b/.test(firstWords(call))
      if (/^(sync|mirror|cp|copy|upload)$/.test(verb))
        return (
          call.has('--delete-removed', '--remove', '--delete', '--delete-destination', '--overwrite') ||
          /^(s3|https?):/.test(target)
        )
      return false
    },
    severity: 'high',
    reason: 'deletes, overwrites or exposes objects in a bucket',
    match: ['s3cmd del --recursive s3://b', 'mc rm -r --force m/b', 'azcopy remove https://a/c', 's5cmd rm s3://b/x'],
    notMatch: ['s3cmd ls', 's3cmd get s3://b/x', 'mc ls m/b', 'azcopy list https://a/c'],
  },
  {
    id: 'cloud/rclone',
    program: 'rclone',
    none: ['-n', '--dry-run', '-i', '--interactive'],
    oneOf: [
      { words: /^(purge|delete|deletefile|rmdir|rmdirs|cleanup|dedupe|move|moveto|sync|bisync|settier|link)( |$)/ },
      { words: /^(copy|copyto|copyurl|rcat|mkdir)( |$)/, lastOperand: /^[^/.][^/]*:/ },
    ],
    severity: 'high',
    reason: 'deletes or overwrites files on the remote',
    safer: 'rclone sync --dry-run ./local remote:bucket',
    rewrite: { append: '--dry-run' },
    match: ['rclone purge r:b', 'rclone sync ./a r:b', 'rclone --config c delete r:b', 'rclone move a r:b'],
    notMatch: ['rclone ls r:b', 'rclone copy r:b ./x', 'rclone sync -n ./a r:b', 'rclone check a r:b'],
  },
]
