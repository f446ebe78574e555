import { useMemo } from 'react'
import { useAddress } from '../router.tsx'
import { parseView, type View, viewQueryAt } from './view.ts'

export function useView(): View {
  const query = useAddress(() => viewQueryAt(location.pathname, location.search))
  return useMemo(() => parseView(query), [query])
}
