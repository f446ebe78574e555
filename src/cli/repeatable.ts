/** For commander: a flag that may be given several times collects its values. */
export function repeatable(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}
