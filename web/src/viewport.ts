// What is smaller than this is no keyboard: a bar of the browser comes and goes.
const leastKeyboard = 80

/**
 * On an iPhone the keyboard lies over the page, and what sends the answer would be under it. The page is then only as
 * tall as what is seen of it. Other browsers make room by themselves (`interactive-widget` in the page's head).
 */
export function fitAboveKeyboard(): void {
  const seen = window.visualViewport
  if (!seen) return
  const { style } = document.documentElement
  const makeRoom = () => {
    // Zoomed in by hand it is a magnifying glass, and no keyboard.
    const covered = seen.scale > 1.01 ? 0 : Math.round(window.innerHeight - seen.height)
    const isKeyboard = covered >= leastKeyboard
    style.setProperty('--covered', isKeyboard ? `${covered}px` : '0px')
    style.setProperty('--seen-from', isKeyboard ? `${Math.round(seen.offsetTop)}px` : '0px')
    if (isKeyboard) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }
  seen.addEventListener('resize', makeRoom)
  seen.addEventListener('scroll', makeRoom)
  makeRoom()
}
