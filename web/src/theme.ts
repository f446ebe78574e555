export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'beckon.theme'

export function theme(): Theme {
  const kept = localStorage.getItem(place)
  return themes.find(one => one === kept) ?? 'auto'
}

export function setTheme(chosen: Theme): void {
  localStorage.setItem(place, chosen)
  showTheme()
}

export function showTheme(): void {
  const chosen = theme()
  if (chosen === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
