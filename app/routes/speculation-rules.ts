/** Public pages only. https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API */
const rules = {
  prefetch: [
    {
      where: {
        href_matches: [
          '/',
          '/home',
          '/allInstruments',
          '/allInstruments\\?*',
          '/catalog/*',
          '/reviews',
          '/login',
          '/register',
        ],
      },
      eagerness: 'moderate',
    },
  ],
}

export function loader() {
  return new Response(JSON.stringify(rules), {
    headers: { 'content-type': 'application/speculationrules+json', 'cache-control': 'public, max-age=86400' },
  })
}
