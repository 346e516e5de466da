import { join } from 'node:path'
import type { Page } from 'playwright'
import type { Scene, Stage } from './scene'

export type Scheme = 'light' | 'dark'

export interface Picture {
  page: string
  state: string
  width: number
  scheme: Scheme
  file: string
}

export interface Film {
  folder: string
  widths: number[]
  schemes: Scheme[]
}

/** Brings a scene about once, and takes its picture at every width in every scheme. */
export async function photograph(scene: Scene, stage: Stage, { folder, widths, schemes }: Film): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const [index, scheme] of schemes.entries()) {
    await stage.page.emulateMedia({ colorScheme: scheme, media: scene.print ? 'print' : 'screen' })
    if (index === 0 || scene.eachScheme) await scene.reach(stage)
    for (const width of widths) {
      const file = `${[scene.page, scene.state, String(width), scheme].map(inFileNames).join('--')}.png`
      await stage.page.setViewportSize({ width, height: 900 })
      await settle(stage.page, scene.withToast)
      // A dialog stands before the window, not before the whole page.
      const fullPage = (await stage.page.locator('dialog[open]').count()) === 0
      await stage.page.screenshot({ path: join(folder, file), fullPage })
      pictures.push({ page: scene.page, state: scene.state, width, scheme, file })
    }
  }
  return pictures
}

/** Waits for every picture on the page, those further down too; a toast is held while it is there, or has gone. */
async function settle(page: Page, withToast: boolean): Promise<void> {
  await page.evaluate((held) => {
    window.scrollTo(0, 0)
    for (const image of document.images) image.loading = 'eager'
    for (const animation of document.getAnimations()) {
      if (held) {
        animation.pause()
        animation.currentTime = 1000
      } else animation.finish()
    }
  }, withToast)
  // Asked from here, and not waited for in the page: one without scripts runs no callbacks.
  for (const deadline = Date.now() + 10_000; ;) {
    if (await page.evaluate(() => [...document.images].every(({ complete }) => complete))) return
    if (Date.now() > deadline) throw new Error('A picture on the page does not load.')
  }
}

function inFileNames(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
