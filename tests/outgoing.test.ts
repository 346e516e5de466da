import { expect } from 'vitest'
import { buildIfStale } from '../scripts/build'
import { freePort } from '../scripts/ports'
import { startWorker } from '../scripts/worker'
import { test } from './shop'

// In workerd, because Node's fetch names itself when the program does not.
test(
  'the built Worker names itself to the mail provider, which takes no mail otherwise',
  { timeout: 120_000 },
  async ({ shop }) => {
    await buildIfStale(() => undefined)
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const worker = await startWorker({ port, vars: { ...shop.vars, SHOP_ORIGIN: origin }, quiet: true })
    try {
      const message = { name: 'Jo', email: 'jo@example.com', message: 'Do you tune?', copy: 'on' }
      const answer = await fetch(`${origin}/home`, {
        method: 'POST',
        body: new URLSearchParams(message),
        headers: { origin },
        redirect: 'manual',
      })
      expect(answer.status).toBe(303)
      await expect.poll(() => shop.mailsTo('jo@example.com'), { timeout: 20_000 }).toHaveLength(1)
    } finally {
      await worker.stop()
    }
  },
)
