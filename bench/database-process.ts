/** A database in a process of its own, so that what its pool costs (dev/kept-connection.ts) can be measured alone. */
import { startDatabase } from '../dev/database'

process.once('message', (folder: string) => {
  void startDatabase({ folder }).then(({ url, authToken, pid }) => process.send?.({ url, authToken, pid }))
})

process.once('disconnect', () => process.exit())
