const base = 'http://shop.invalid'
const fallback = '/dashboard'

/** Prevents open redirects: refuses everything that a browser could read as another origin, and two slashes anywhere in a path. */
export function safeRedirectTo(path: FormDataEntryValue | null): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return fallback
  try {
    const url = new URL(path, base)
    if (url.origin !== base || url.username || /\/\/|[\\\p{Cc}]/u.test(decodeURIComponent(url.pathname)))
      return fallback
    return url.pathname + url.search + url.hash
  } catch {
    return fallback
  }
}
