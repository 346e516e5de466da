import { spawnSync } from 'node:child_process'
import { at, scene } from './scene'

/** Lists of more than one page, in the bare shop: after all else in it but the outage. */
export function longListScenes(): void {
  scene('all instruments', 'last page of several', { shop: 'bare' }, async ({ page, shop }) => {
    const seed = ['--import', 'tsx', 'scripts/seed.ts', '--instruments', '60', '--orders', '60', '--users', '60']
    const { url, authToken } = shop.database
    const env = { ...process.env, DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken }
    const { status } = spawnSync(process.execPath, seed, { env })
    if (status !== 0) throw new Error('The bare shop could not be filled.')
    await page.goto('/allInstruments')
    await page.getByRole('link', { name: 'Next →' }).click()
    await page.getByText('End of the list').waitFor()
  })
  scene('manage orders', 'first page of several', { as: 'admin', shop: 'bare' }, at('/dashboard/manageOrders'))
}
