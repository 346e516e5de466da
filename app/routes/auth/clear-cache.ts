/**
 * Clears the browser's cache and its back/forward cache. The first page after sign-out loads this as an image: in the
 * sign-out response it would be too early for that page, and slow (decision 17).
 */
export function loader() {
  return new Response(null, { status: 204, headers: { 'clear-site-data': '"cache"' } })
}
