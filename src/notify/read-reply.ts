/** The start of the body. The status counts, whatever happens to the body. */
export async function readStart(response: Response, longest: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of response.body ?? []) {
      parts.push(part)
      size += part.length
      if (size >= longest) break
    }
  } catch {
    // The other side closed the connection, or takes too long.
  }
  return Buffer.concat(parts).subarray(0, longest).toString()
}

/** Milliseconds; null where it says none, or a date. */
export function readRetryAfter(header: string | null): number | null {
  return header && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null
}
