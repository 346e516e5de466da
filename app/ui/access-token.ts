import { useEffect } from 'react'

/** Under this name the browser keeps the access token for programs that run in it (spec section 3, R4). */
const key = 'accessToken'

/** The last resort of R36, when the browser lets us store nothing. */
const memory = new Map<string, string>()

/**
 * Sees to it that a signed-in browser holds an access token: local storage, then session storage, then memory, the first
 * that works (R36). Each page that is loaded renews it, since it lives for an hour. No page needs it.
 */
export function useAccessToken(email: string): void {
  useEffect(() => {
    if (email === '') return
    const stop = new AbortController()
    fetch(`/user/${encodeURIComponent(email)}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
      signal: stop.signal,
    })
      .then(async (response) => {
        if (!response.ok) return
        const { token } = await response.json<{ token: string }>()
        store(token)
      })
      .catch(() => undefined) // offline, or left the page: the next page tries again
    return () => stop.abort()
  }, [email])
}

function store(token: string): void {
  for (const place of places()) {
    try {
      place.setItem(key, token)
      return
    } catch {
      // full or forbidden: the next place
    }
  }
  memory.set(key, token)
}

function places(): Storage[] {
  return [() => window.localStorage, () => window.sessionStorage].flatMap((open) => {
    try {
      return [open()]
    } catch {
      return []
    }
  })
}
