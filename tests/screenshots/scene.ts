import { test as base, type Page } from '@playwright/test'
import { openTemporaryShop, type TemporaryShop } from '../../dev/temporary-shop'
import { addDemoBusiness } from './preparation'
import { SignedInBrowsers, type Person } from './people'

const widths = (process.env.WIDTHS ?? '360,768,1280,1920').split(',').map(Number)
const schemes = ['light', 'dark'] as const

export interface Stage {
  page: Page
  shop: TemporaryShop
}

interface Options {
  /** Nobody is signed in without it. */
  as?: Person
  /** `demo` has the demo stock, `bare` is empty at first. */
  shop?: 'demo' | 'bare'
  scripts?: boolean
  print?: boolean
  /** Shows the toast: the other screenshots hide it. */
  withToast?: boolean
  /** Reaches the state again for each scheme: the card form takes its colours when it loads. */
  eachScheme?: boolean
}

interface Shop {
  shop: TemporaryShop
  browsers: SignedInBrowsers
}

const test = base.extend<object, { shops: Record<'demo' | 'bare', Shop> }>({
  shops: [
    async ({ browser }, use) => {
      // The demo business is added behind the cache's back.
      process.env.EDGE_CACHE_SECONDS = '0'
      const open = async (demo: boolean): Promise<Shop> => {
        const shop = await openTemporaryShop({ demo })
        return { shop, browsers: new SignedInBrowsers(browser, shop, demo) }
      }
      const shops = { demo: await open(true), bare: await open(false) }
      await addDemoBusiness(shops.demo.browsers)
      await use(shops)
      await shops.demo.shop.stop()
      await shops.bare.shop.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

/** Declares one state of one page and how to reach it; takes its screenshot at every width, light and dark. */
export function scene(name: string, state: string, options: Options, reach: (stage: Stage) => Promise<void>): void {
  const { as, shop = 'demo', scripts = true, print = false, withToast = false, eachScheme = false } = options
  test(`${name}, ${state}`, async ({ shops }, info) => {
    const page = await shops[shop].browsers.newPage(as, scripts)
    for (const [index, colorScheme] of schemes.entries()) {
      await page.emulateMedia({ colorScheme, media: 'screen' })
      if (index === 0 || eachScheme) await reach({ page, shop: shops[shop].shop })
      if (print) await page.emulateMedia({ media: 'print' })
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await loadImages(page, withToast)
        // A dialog covers the window, not the whole page.
        const fullPage = (await page.locator('dialog[open]').count()) === 0
        await info.attach(`${width} ${colorScheme}`, {
          body: await page.screenshot({ fullPage }),
          contentType: 'image/png',
        })
      }
    }
    await page.context().setOffline(false)
    await page.close()
  })
}

export function at(path: string): (stage: Stage) => Promise<void> {
  return async ({ page }) => {
    await page.goto(path)
  }
}

async function loadImages(page: Page, withToast: boolean): Promise<void> {
  await page.evaluate((pause) => {
    window.scrollTo(0, 0)
    for (const image of document.images) image.loading = 'eager'
    for (const animation of document.getAnimations()) {
      if (pause) {
        animation.pause()
        animation.currentTime = 1000
      } else animation.finish()
    }
  }, withToast)
  // Polled from here: a page without scripts runs no callbacks.
  for (const deadline = Date.now() + 10_000; ;) {
    if (await page.evaluate(() => [...document.images].every(({ complete }) => complete))) return
    if (Date.now() > deadline) throw new Error('An image on the page does not load.')
  }
}
