/** A browser whose push service is out of reach: its keys are real ones. */
export const fakeSubscription = `(async () => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const text = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const keys = {
    p256dh: text(await crypto.subtle.exportKey('raw', pair.publicKey)),
    auth: text(crypto.getRandomValues(new Uint8Array(16))),
  }
  const endpoint = 'https://127.0.0.1:1/push'
  const made = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => { now = null } }
  let now = null
  PushManager.prototype.subscribe = async () => (now = made)
  PushManager.prototype.getSubscription = async () => now
})()`
