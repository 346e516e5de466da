/* A process that runs the readers of the log until it is killed: tests/log-readers.drill.test.ts starts it with the address of a database. */
import { openDatabase } from '../../app/db/open.server'
import { readLog } from '../../app/store/operations/run-readers.server'
import { testDeps } from './fixture'

const [url = '', authToken] = process.argv.slice(2)
const deps = testDeps({
  db: openDatabase({ url, authToken }),
  origin: 'http://127.0.0.1:8788',
  sandboxUrl: 'http://127.0.0.1:9',
})
process.stdout.write('ready\n')
for (;;) await readLog(deps)
