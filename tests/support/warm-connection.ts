import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Of Hrana 3, which libSQL's clients speak. A `baton` is its ticket for a connection: each answer has the one for the next request.
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */
interface Pipeline {
  baton?: string | null
  requests: { type: string }[]
}

interface Answer {
  baton: string | null
  results: { type: string; response?: { type: string; is_autocommit?: boolean } }[]
}

interface Found {
  status: number
  type: string | undefined
  words: string
}

/** The server closes a connection that nobody has used for 10 s, and lets nobody in until then. */
const idleMs = 2_000

const closed = { type: 'ok', response: { type: 'close' } }

/**
 * A pool of one connection before the database server of a test. The server opens one for each request, and that parses all of the
 * schema: 4 ms of CPU, many times what a statement takes. Like the server with one connection, it does one request after the other.
 */
export class WarmConnection {
  private readonly server = createServer((incoming, outgoing) => {
    this.answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  private readonly agent = new Agent({ keepAlive: true })
  private baton: string | null = null
  private last: Promise<unknown> = Promise.resolve()
  private idle: NodeJS.Timeout | undefined
  private headers = {}

  private constructor(
    readonly url: string,
    private readonly target: string,
  ) {}

  static async open(port: number, target: string): Promise<WarmConnection> {
    const connection = new WarmConnection(`http://127.0.0.1:${port}`, target)
    await new Promise<void>((resolve, reject) =>
      connection.server.once('error', reject).listen(port, '127.0.0.1', resolve),
    )
    return connection
  }

  /** From now on it refuses connections, as a server does that has stopped. */
  async close(): Promise<void> {
    clearTimeout(this.idle)
    this.agent.destroy()
    await new Promise((resolve) => {
      this.server.close(resolve)
      this.server.closeAllConnections()
    })
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming
    const body = await text(incoming)
    const { status, type, words } = await this.find(method, path, headers, body)
    outgoing.writeHead(status, { ...(type && { 'content-type': type }), 'content-length': Buffer.byteLength(words) })
    outgoing.end(words)
  }

  private find(method: string, path: string, headers: IncomingMessage['headers'], body: string): Promise<Found> {
    const pass = () => this.send(method, path, headers, body)
    if (!path.endsWith('/pipeline')) {
      return this.enqueue(async () => {
        // A dump takes a connection of its own.
        await this.drop()
        return pass()
      })
    }
    const pipeline = JSON.parse(body) as Pipeline
    return pipeline.baton ? pass() : this.enqueue(() => this.share(headers, pipeline))
  }

  /** Sends requests on the kept connection. If they do not close it, as those of a transaction, the client gets it with the baton. */
  private async share(headers: IncomingMessage['headers'], { requests }: Pipeline): Promise<Found> {
    clearTimeout(this.idle)
    this.headers = { authorization: headers.authorization }
    const ends = requests.at(-1)?.type === 'close'
    const sent = ends ? [...requests.slice(0, -1), { type: 'get_autocommit' }] : requests
    const { baton } = this
    const post = (by: string | null) =>
      this.send('POST', '/v3/pipeline', headers, JSON.stringify({ baton: by, requests: sent }))
    let response = await post(baton)
    // It has expired: nothing was done.
    if (response.status === 400 && baton !== null) response = await post(null)
    if (response.status !== 200) {
      this.dropWhenIdle()
      return response
    }
    const answer = JSON.parse(response.words) as Answer
    if (!ends) {
      this.baton = null
      return response
    }
    this.baton = answer.baton
    const isInTransaction = answer.results.at(-1)?.response?.is_autocommit === false
    if (isInTransaction) await this.drop()
    else this.dropWhenIdle()
    return {
      ...response,
      words: JSON.stringify({ ...answer, baton: null, results: [...answer.results.slice(0, -1), closed] }),
    }
  }

  private dropWhenIdle(): void {
    this.idle = setTimeout(() => void this.enqueue(() => this.drop()).catch(() => undefined), idleMs)
  }

  private async drop(): Promise<void> {
    clearTimeout(this.idle)
    const { baton } = this
    this.baton = null
    if (baton === null) return
    await this.send('POST', '/v3/pipeline', this.headers, JSON.stringify({ baton, requests: [{ type: 'close' }] }))
  }

  private enqueue<T>(task: () => Promise<T>): Promise<T> {
    const done = this.last.then(task, task)
    this.last = done.catch(() => undefined)
    return done
  }

  private send(
    method: string,
    path: string,
    { authorization }: IncomingMessage['headers'],
    body: string,
  ): Promise<Found> {
    return new Promise<Found>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
      const fail = (error: Error) => {
        this.baton = null
        reject(error)
      }
      request(`${this.target}${path}`, { method, headers, agent: this.agent }, (response) => {
        const {
          statusCode: status = 502,
          headers: { 'content-type': type },
        } = response
        text(response).then((words) => resolve({ status, type, words }), fail)
      })
        .once('error', fail)
        .end(body)
    })
  }
}
