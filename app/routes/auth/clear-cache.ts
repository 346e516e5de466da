/**
 * Makes the browser forget this shop's pages, those too that Back would show from its memory. The first page after signing out
 * loads this as a picture: the answer to signing out itself comes before the browser puts that page into its memory, and would
 * have to wait until the whole cache was searched (decision 17).
 */
export function loader() {
  return new Response(null, { status: 204, headers: { 'clear-site-data': '"cache"' } })
}
