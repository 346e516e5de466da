/**
 * Back to the list that a form stood on, on the same page of it. A browser without scripts stays at the row with the id `anchor`;
 * with scripts the page does not move, and an anchor would make it.
 */
export function backToList(request: Request, anchor: string | undefined): string {
  const { pathname, search } = new URL(request.url)
  const isDocument = (request.headers.get('accept') ?? '').includes('text/html')
  return pathname + search + (anchor && isDocument ? `#${encodeURIComponent(anchor)}` : '')
}
