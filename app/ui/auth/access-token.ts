/*
 * The access token that a signed-in browser holds for programs in it (spec section 3, R4): in local storage, else in session
 * storage, else in memory, the first that works (R36). No page needs it.
 */

const key = 'accessToken'

type TokenStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const memoryStore = new Map<string, string>()

const memory: TokenStore = {
  getItem: (name) => memoryStore.get(name) ?? null,
  setItem: (name, token) => void memoryStore.set(name, token),
  removeItem: (name) => void memoryStore.delete(name),
}

/** What each place answers, of those that the browser lets us use, in their order. */
function requestToken<Answer>(question: (place: TokenStore) => Answer): Answer[] {
  return [() => window.localStorage, () => window.sessionStorage, () => memory].flatMap((open) => {
    try {
      return [question(open())]
    } catch {
      return [] // forbidden, or full
    }
  })
}

function storeToken(token: string): void {
  let isKept = false
  requestToken((place) => {
    if (isKept) place.removeItem(key)
    else place.setItem(key, token)
    isKept = true
  })
}

/** Takes the token out of the place that holds it. */
function takeToken(): string | null {
  const token = requestToken((place) => place.getItem(key)).find((found) => found !== null)
  requestToken((place) => place.removeItem(key))
  return token ?? null
}

/** Signing out sends the token along, to be revoked. */
function sendAlong({ target }: Event): void {
  if (!(target instanceof HTMLFormElement) || !target.action.endsWith('/sign-out')) return
  const token = takeToken()
  if (token === null) return
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = key
  field.value = token
  target.appendChild(field)
}

/**
 * Exchanges the session of whoever has this email for an access token, and holds it until they sign out. It lives for an hour:
 * each page that has scripts renews it. Answers what stops this.
 */
export function storeAccessToken(email: string): () => void {
  const stop = new AbortController()
  fetch(`/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
    signal: stop.signal,
  })
    .then(async (response) => {
      if (response.ok) storeToken((await response.json<{ token: string }>()).token)
    })
    .catch(() => undefined) // offline, or left the page: the next page with scripts tries again
  document.addEventListener('submit', sendAlong, { signal: stop.signal })
  return () => stop.abort()
}
