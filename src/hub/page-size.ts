export const maxPageSize = 1_000

/** A usable page size for any limit that a caller gives. */
export function pageSize(limit: number): number {
  return Math.min(Math.max(1, Math.floor(limit) || 1), maxPageSize)
}
