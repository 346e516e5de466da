/** The browser scrolls to the row `anchor` and focuses it. */
export function backToList(request: Request, anchor: string | undefined): string {
  const { pathname, search } = new URL(request.url)
  return pathname + search + (anchor ? `#${encodeURIComponent(anchor)}` : '')
}
