import { createLock } from '../../../src/system/lock-file.ts'

// Takes the lock named by its argument, prints whether it got it, and holds it until it is killed.
process.stdout.write(String(createLock(process.argv[2] ?? '').take()))
setInterval(() => {}, 1_000)
