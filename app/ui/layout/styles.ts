import { createContext, useContext } from 'react'

export const StylesContext = createContext('')

/** Inlined in every page, which saves a round trip; in the browser, read back from the page. */
export function useStyles(): string {
  const styles = useContext(StylesContext)
  if (styles || typeof document === 'undefined') return styles
  return document.querySelector('style')?.textContent ?? ''
}
