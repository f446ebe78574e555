export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'beckon.theme'

export function theme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return themes.find(name => name === stored) ?? 'auto'
}

export function setTheme(chosen: Theme): void {
  localStorage.setItem(storageKey, chosen)
  applyTheme()
}

export function applyTheme(): void {
  const chosen = theme()
  if (chosen === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
