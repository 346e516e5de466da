/* The inline script of a page that can be read offline. After `load`: the page itself comes first. */
addEventListener('load', () => {
  const { serviceWorker } = navigator as Partial<Navigator>
  void serviceWorker?.register('/sw.js').catch(() => undefined)
})
