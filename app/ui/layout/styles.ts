import { createContext, useContext } from 'react'

/** The shop's stylesheet, on the server. */
export const StylesContext = createContext('')

/** The stylesheet, which stands in every page itself, so that a page is there after one round trip. In the browser, what the page came with. */
export function useStyles(): string {
  const given = useContext(StylesContext)
  if (given || typeof document === 'undefined') return given
  return document.querySelector('style')?.textContent ?? ''
}
