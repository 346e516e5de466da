import { useSyncExternalStore } from 'react'

/** False in the HTML that the server sends, and true as soon as scripts run. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

function never() {
  return () => undefined
}
