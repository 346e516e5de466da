const base = 'http://shop.invalid'
const fallback = '/dashboard'

/**
 * Where to go after sign-in: a path of this shop, as it was asked for, or the dashboard. Everything that a browser could
 * read as another place is refused: other origins, `//evil`, backslashes, control characters, encoded slashes in front.
 */
export function safeRedirectTo(wanted: FormDataEntryValue | null): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return fallback
  try {
    const url = new URL(wanted, base)
    if (url.origin !== base || url.username || /^\/[/\\]/.test(decodeURIComponent(url.pathname))) return fallback
    return url.pathname + url.search + url.hash
  } catch {
    return fallback
  }
}
