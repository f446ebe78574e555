// Anything smaller is a browser bar that comes and goes, not a keyboard.
const minKeyboardHeight = 80

/**
 * On an iPhone the keyboard covers the page, and with it the button that sends the answer. The page then shrinks to the
 * visible part. Other browsers do this on their own (`interactive-widget` in index.html).
 */
export function fitAboveKeyboard(): void {
  const viewport = window.visualViewport
  if (!viewport) return
  const { style } = document.documentElement
  const makeRoom = () => {
    // A person who zooms in makes the viewport smaller too.
    const covered = viewport.scale > 1.01 ? 0 : Math.round(window.innerHeight - viewport.height)
    const isKeyboard = covered >= minKeyboardHeight
    style.setProperty('--keyboard-height', isKeyboard ? `${covered}px` : '0px')
    style.setProperty('--viewport-top', isKeyboard ? `${Math.round(viewport.offsetTop)}px` : '0px')
    if (isKeyboard) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }
  viewport.addEventListener('resize', makeRoom)
  viewport.addEventListener('scroll', makeRoom)
  makeRoom()
}
