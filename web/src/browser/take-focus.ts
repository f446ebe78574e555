import { isTextField } from './shortcuts.ts'

/** Gives an element that appears by itself the focus, unless the person is typing somewhere: their words stay there. */
export function takeFocus(element: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (!isTextField(document.activeElement)) element?.focus(options)
}
