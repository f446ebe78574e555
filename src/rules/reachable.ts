/** Whether people on other machines can open the address. */
export function opensElsewhere(url: string): boolean {
  const { hostname } = new URL(url)
  return !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname)
}
