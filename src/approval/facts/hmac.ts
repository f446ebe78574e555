/** Hashes with a key of this machine: what enters cannot be guessed from what comes out. */
export type Hmac = (name: string, value: string) => string
