// On a touch screen, focusing a text field would open a keyboard over half of the page.
export const hasKeyboard = matchMedia('(pointer: fine)').matches
