/** Without scripts the browser scrolls to the row `anchor`; with scripts the page does not scroll, and must not. */
export function backToList(request: Request, anchor: string | undefined): string {
  const { pathname, search } = new URL(request.url)
  const isDocument = (request.headers.get('accept') ?? '').includes('text/html')
  return pathname + search + (anchor && isDocument ? `#${encodeURIComponent(anchor)}` : '')
}
