const place = 'beckon.reloaded'
const soon = 30_000

/**
 * A part of the page that comes in a file of its own. When the server was upgraded meanwhile that file is gone, and the
 * page is loaded anew; where that did not help, it is a fault like any other.
 */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const last = Number(sessionStorage.getItem(place) ?? 0)
    if (Date.now() - last < soon || !navigator.onLine) throw error
    sessionStorage.setItem(place, String(Date.now()))
    location.reload()
    return new Promise(() => {})
  }
}
