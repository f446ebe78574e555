/** What `mktemp` prints: only this command has put anything there. */
export const freshFolder = '/tmp/tmp.mktemp'
