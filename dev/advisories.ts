/**
 * The first version of a package without a vulnerability. `npm test` compares what is locked and installed with it, also where npm's
 * audit is not answered: an override that gets lost is seen.
 */
export const fixedIn: { name: string; version: string; advisory: string }[] = [
  { name: '@remix-run/router', version: '1.23.4', advisory: 'GHSA-jjmj-jmhj-qwj2' },
  { name: 'react-router', version: '6.30.6', advisory: 'GHSA-jjmj-jmhj-qwj2' },
  { name: 'react-router-dom', version: '6.30.6', advisory: 'GHSA-jjmj-jmhj-qwj2' },
]

/** No version that Remix 2 can use has a fix, and nothing of ours reaches them: `tests/advisories.test.ts` has a test of each reason. */
export const accepted: { advisory: string; since: string; reason: string }[] = [
  {
    advisory: 'GHSA-wrjc-x8rr-h8h6',
    since: '2026-11-25',
    reason:
      'CVE-2026-53669, react-router 6.0.0 to 7.17: a path with a backslash in <Link> or useNavigate leads to another site. ' +
      'The shop has no <Link> and does not navigate in the browser: its links are plain <a>, its forms post to their own page.',
  },
  {
    advisory: 'GHSA-337j-9hxr-rhxg',
    since: '2026-11-25',
    reason:
      'CVE-2026-53666, react-router 6.4.0 to 7.17: an error whose name a visitor chose calls a constructor in the browser when the page hydrates. ' +
      'Deployed, Remix sends every error without its name.',
  },
]
