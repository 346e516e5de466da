/**
 * What a browser may fetch ahead when somebody is about to follow a link: the pages that are the same for everybody
 * (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API).
 */
const rules = {
  prefetch: [
    {
      where: {
        href_matches: ['/', '/home', '/allInstruments', '/allInstruments\\?*', '/reviews', '/login', '/register'],
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
