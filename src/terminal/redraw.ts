/** Asks for a new frame. */
export interface Redraw {
  (): void
  /** Drops a frame that was asked for and is not drawn yet. */
  cancel(): void
}

/** Draws once after everything that happens at once: many keys in one read make one frame. */
export function redrawOnce(draw: () => void): Redraw {
  let frame: NodeJS.Immediate | null = null
  return Object.assign(redraw, { cancel })

  function redraw() {
    frame ??= setImmediate(() => {
      frame = null
      draw()
    })
  }

  function cancel() {
    if (frame) clearImmediate(frame)
    frame = null
  }
}
