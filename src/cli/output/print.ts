/** Resolves when every byte is written; rejects on a closed pipe or a full disk. */
export function print(stream: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, error => (error ? reject(error) : resolve()))
  })
}
