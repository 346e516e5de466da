/*
 * `npm run screenshots [-- FOLDER --only TEXT --widths 360,1280 --schemes dark]`: a picture of every page in every state, and
 * an index.html that shows them. Ends with 1 if a state could not be reached.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { provideBrowser } from '../dev/browser'
import { accountScenes } from '../tests/screenshots/account'
import { writeAlbum } from '../tests/screenshots/album'
import { photograph, type Picture, type Scheme } from '../tests/screenshots/camera'
import { crowdScenes } from '../tests/screenshots/crowds'
import { deskScenes, growthScenes } from '../tests/screenshots/desk'
import { identityScenes } from '../tests/screenshots/identity'
import { People } from '../tests/screenshots/people'
import { doBusiness } from '../tests/screenshots/preparation'
import { purchaseScenes } from '../tests/screenshots/purchase'
import { failureScenes, outage, windowScenes } from '../tests/screenshots/window'
import type { Scene } from '../tests/screenshots/scene'
import { openTemporaryShop } from '../dev/temporary-shop'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '360,768,1280' },
    schemes: { type: 'string', default: 'light,dark' },
  },
})
// The shop is filled from behind, which it could not know of.
process.env.EDGE_CACHE_SECONDS = '0'
const film = {
  folder: positionals[0] ?? 'gallery',
  widths: values.widths.split(',').map(Number),
  schemes: values.schemes.split(',') as Scheme[],
}
if (!film.widths.every((width) => width >= 200) || !film.schemes.every((name) => ['light', 'dark'].includes(name))) {
  console.error('Usage: npm run screenshots -- [FOLDER] [--only TEXT] [--widths 360,768,1280] [--schemes light,dark]')
  process.exit(2)
}

const begun = Date.now()
const lanes = lay([windowScenes, identityScenes, purchaseScenes, failureScenes], [accountScenes, deskScenes])
const total = lanes.flat().length
const browser = await chromium.launch({
  executablePath: provideBrowser(console.log),
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
})
const shops = { demo: await openTemporaryShop(), bare: await openTemporaryShop({ demo: false }) }
const people = {
  demo: new People(browser, shops.demo, true),
  bare: new People(browser, shops.bare, false),
}
const [pictures, unreached]: [Picture[], string[]] = [[], []]
let begunScenes = 0
try {
  mkdirSync(film.folder, { recursive: true })
  await doBusiness(people.demo)
  await Promise.all(lanes.map(takeAll))
  writeAlbum(film.folder, pictures)
} finally {
  await browser.close()
  await shops.demo.stop()
  await shops.bare.stop()
}
console.log(`${pictures.length} pictures of ${total} scenes in ${film.folder}/index.html, ${elapsed()}`)
for (const scene of unreached) console.error(`Not reached: ${scene}`)
process.exit(unreached.length === 0 ? 0 : 1)

/**
 * Two lanes, for two processors. All of the bare shop is in the first, in order: it begins to sell, is crowded, and goes out
 * of order at last.
 */
function lay(first: Scene[][], second: Scene[][]): Scene[][] {
  const isBare = ({ shop }: Scene) => shop === 'bare'
  const isDemo = ({ shop }: Scene) => shop === 'demo'
  const bare = [...first.flat(), ...second.flat()].filter(isBare)
  return [
    [...bare, ...growthScenes, ...crowdScenes, outage, ...first.flat().filter(isDemo)],
    second.flat().filter(isDemo),
  ].map((lane) => lane.filter(({ page, state }) => `${page}, ${state}`.includes(values.only)))
}

async function takeAll(scenes: Scene[]): Promise<void> {
  for (const scene of scenes) {
    console.log(`${elapsed()}  ${++begunScenes} of ${total}: ${scene.page}, ${scene.state}`)
    const page = await people[scene.shop].newPage(scene.as, scene.scripts)
    page.setDefaultTimeout(10_000)
    try {
      pictures.push(...(await photograph(scene, { page, shop: shops[scene.shop] }, film)))
    } catch (error) {
      unreached.push(`${scene.page}, ${scene.state}: ${error instanceof Error ? error.message : String(error)}`)
    }
    await page.close()
  }
}

function elapsed(): string {
  return `${((Date.now() - begun) / 1000).toFixed(0).padStart(4)} s`
}
