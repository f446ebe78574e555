// A reference stands for the value of a dependency and names the request that asked for it.

export function referenceOf(request: string): string {
  return request.replace(/^req_/, 'ref_')
}

/** The request that a reference names; null where the text is not a reference. */
export function requestOf(reference: string): string | null {
  return /^ref_[0-9a-z]+$/.test(reference) ? reference.replace(/^ref_/, 'req_') : null
}
