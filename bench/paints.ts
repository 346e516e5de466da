import { Edge } from './edge'
import { openBrowser, paint, type Paint } from './paint'
import { signIn } from './people'
import type { Results } from './report'
import type { Stage } from './stage'

const pages = ['/home', '/allInstruments', '/catalog/concert-violin-4-4', '/instruments/violin-4-4']

export async function measurePaint(stage: Stage, results: Results, { rounds }: { rounds: number }): Promise<void> {
  const [database, sandbox, browser] = [await stage.database(), await stage.sandbox(), await openBrowser()]
  const rows: (string | number)[][] = []
  const paints: Record<string, Paint> = {}
  const edges = [
    { edge: await Edge.open(), name: '' },
    { edge: await Edge.open({ linked: true }), name: ', styles as a file' },
  ]
  try {
    for (const { edge, name } of edges) {
      const served = await stage.shop(database, sandbox, { SHOP_ORIGIN: edge.origin })
      edge.setTarget(served.origin)
      const { cookie } = await signIn({ ...served, origin: edge.origin })
      const [key, value] = cookie.split('=') as [string, string]
      for (const path of pages) {
        const figures = await paint(browser, edge.origin + path, rounds, async (context) => {
          if (path.startsWith('/instruments')) await context.addCookies([{ name: key, value, url: edge.origin }])
        })
        paints[path + name] = figures
        const { firstPaint, largestPaint, load, bytes, requests } = figures
        rows.push([path + name, firstPaint / 1000, largestPaint / 1000, load / 1000, bytes, requests])
      }
    }
  } finally {
    await browser.close()
    for (const { edge } of edges) edge.close()
  }
  results.say(
    '## Paint on a slow line',
    '',
    `Chromium’s Slow 3G (400 kbit/s, 2,000 ms before each answer), processor four times as slow, 360 px, empty cache; medians of ${rounds}.`,
  )
  results.table(['', 'first paint s', 'largest paint s', 'load s', 'bytes', 'requests'], rows)
  for (const path of pages) {
    results.check(
      { what: `${path}: first paint, s`, value: paints[path]!.firstPaint / 1000, max: 2.6 },
      { what: `${path}: load, s`, value: paints[path]!.load / 1000, max: 6 },
    )
  }
}
