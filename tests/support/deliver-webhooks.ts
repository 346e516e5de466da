/* A process that delivers webhooks until it is killed: tests/webhooks.drill.test.ts starts it with the address of a database. */
import { openDatabase } from '../../app/db/open.server'
import { deliverWebhooks } from '../../app/store/integrations/webhook-deliveries.server'
import { testDeps } from './fixture'

const [url = '', authToken] = process.argv.slice(2)
const deps = testDeps({
  db: openDatabase({ url, authToken }),
  origin: 'http://127.0.0.1:8788',
  sandboxUrl: 'http://127.0.0.1:9',
})
process.stdout.write('ready\n')
for (;;) {
  await deliverWebhooks(deps)
  await new Promise((resolve) => setTimeout(resolve, 20))
}
