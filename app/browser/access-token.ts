/*
 * The access token of a signed-in browser (spec section 3, R4), in the first storage that works: local storage, session
 * storage, memory (R36). No page needs it.
 */

const key = 'accessToken'

type TokenStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const memoryStore = new Map<string, string>()

const memory: TokenStore = {
  getItem: (name) => memoryStore.get(name) ?? null,
  setItem: (name, token) => void memoryStore.set(name, token),
  removeItem: (name) => void memoryStore.delete(name),
}

function inEachStore<Result>(use: (store: TokenStore) => Result): Result[] {
  return [() => window.localStorage, () => window.sessionStorage, () => memory].flatMap((open) => {
    try {
      return [use(open())]
    } catch {
      return [] // not allowed, or full
    }
  })
}

function storeToken(token: string): void {
  let isStored = false
  inEachStore((store) => {
    if (isStored) store.removeItem(key)
    else store.setItem(key, token)
    isStored = true
  })
}

function takeToken(): string | null {
  const token = inEachStore((store) => store.getItem(key)).find((item) => item !== null)
  inEachStore((store) => store.removeItem(key))
  return token ?? null
}

function addTokenToSignOut({ target }: Event): void {
  if (!(target instanceof HTMLFormElement) || !target.action.endsWith('/sign-out')) return
  const token = takeToken()
  if (token === null) return
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = key
  field.value = token
  target.appendChild(field)
}

/** The token expires after an hour; each page with scripts renews it. Returns a cleanup function. */
export function storeAccessToken(email: string): () => void {
  const stop = new AbortController()
  const renew = (isBack: boolean) =>
    fetch(`/user/${encodeURIComponent(email)}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
      signal: stop.signal,
    })
      .then(async (response) => {
        if (response.ok) storeToken((await response.json<{ token: string }>()).token)
        // The customer has signed out since: the next person at this computer must not read the page. Only after Back, or a page that is
        // always refused would be loaded for good.
        else if (isBack && (response.status === 401 || response.status === 403)) location.reload()
      })
      .catch(() => undefined) // the next page with scripts tries again
  void renew(false)
  addEventListener('pageshow', ({ persisted }) => void (persisted && renew(true)), { signal: stop.signal })
  document.addEventListener('submit', addTokenToSignOut, { signal: stop.signal })
  return () => stop.abort()
}
