import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * How libSQL's client begins and ends a request of Hrana that is done with its connection.
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */
const [opening, closing] = ['{"requests":[', ',{"type":"close"}]}']

/** The server closes a connection that nobody has used for 10 s, and lets nobody in until then. */
const idleMs = 5_000

const unknownForm = 'The database server answers in a form that is not known.'

interface Answer {
  status: number
  type: string
  text: string
}

interface Options {
  host: string
  port: number
  /** Where sqld listens on this machine. */
  serverPort: number
  authToken: string
}

/**
 * A pool of one connection in front of sqld. sqld opens one for each request, and that parses all of the schema: 4 ms of CPU, many times
 * what a statement takes. Requests take turns, as they do at an sqld with one connection; sqld still checks the token of each.
 * All text is Latin-1 here, in which a character is a byte.
 */
export class KeptConnection {
  // By itself it closes connections after 5 s without a request, and with them one that is just on its way.
  private readonly server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    this.answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  private readonly agent = new Agent({ keepAlive: true })
  private exchange: Exchange | null = null
  /** The server's ticket for the connection: each answer has the one for the next request. */
  private baton: string | null = null
  private lastTurn: Promise<void> = Promise.resolve()
  private readonly idle = setTimeout(() => this.enqueue(() => this.drop().catch(() => undefined)), idleMs).unref()

  private constructor(private readonly options: Options) {}

  static async open(options: Options): Promise<KeptConnection> {
    const connection = new KeptConnection(options)
    const { server } = connection
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(options.port, options.host, resolve),
    )
    return connection
  }

  /** From now on it refuses connections, as a server does that has stopped. */
  async close(): Promise<void> {
    clearTimeout(this.idle)
    this.agent.destroy()
    this.exchange?.close()
    await new Promise((resolve) => {
      this.server.close(resolve)
      this.server.closeAllConnections()
    })
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url } = incoming
    const text = await read(incoming)
    const pass = () => this.pass(incoming, outgoing, text)
    // Within a transaction the client has a baton of its own.
    const needsNoTurn = (method !== 'POST' && !url?.startsWith('/dump')) || /"baton":\s*"/.test(text)
    if (needsNoTurn) {
      await pass().catch(() => refuse(outgoing))
      return
    }
    const stored = url?.endsWith('/pipeline') ? readShareable(text) : null
    this.enqueue(async () => {
      // The client may have gone while it waited.
      if (outgoing.destroyed) return
      try {
        if (stored) {
          await this.share(incoming, outgoing, text, stored)
        } else {
          await this.drop()
          await pass()
        }
      } catch {
        refuse(outgoing)
      }
    })
  }

  private enqueue(task: () => Promise<void>): void {
    this.lastTurn = this.lastTurn.then(task)
  }

  /** `stored`: the ids of the texts that the client has stored. They would still be taken when the next client stores its own. */
  private async share(
    { headers: { authorization } }: IncomingMessage,
    outgoing: ServerResponse,
    text: string,
    stored: string[],
  ): Promise<void> {
    const closeSql = stored.map((id) => `,{"type":"close_sql","sql_id":${id}}`).join('')
    const requests = `${text.slice(1, -closing.length)}${closeSql},{"type":"get_autocommit"}]}`
    const post = (baton: string | null) => this.post(`{"baton":${JSON.stringify(baton)},${requests}`, authorization)
    let answer = await post(this.baton)
    if (this.baton !== null && isUnknownBaton(answer)) {
      this.baton = null
      answer = await post(null)
    }
    this.idle.refresh()
    if (answer.status !== 200) {
      respond(outgoing, answer)
      return
    }

    const closed = ',{"type":"ok","response":{"type":"close_sql"}}'.repeat(stored.length)
    const [end, isAutocommit] =
      /,\{"type":"ok","response":\{"type":"get_autocommit","is_autocommit":(true|false)\}\}\]\}$/.exec(
        answer.text.slice(-90),
      ) ?? []
    const [start, baton] = /^\{"baton":"([^"]+)"/.exec(answer.text) ?? []
    this.baton = baton ?? null
    if (!start || !end || !answer.text.endsWith(closed + end)) throw new Error(unknownForm)
    // It left a transaction open, which a connection of its own would have rolled back.
    if (isAutocommit === 'false') await this.drop()
    const results = answer.text.slice(start.length, -(closed.length + end.length))
    respond(outgoing, { ...answer, text: `{"baton":null${results},{"type":"ok","response":{"type":"close"}}]}` })
  }

  /** Lets others have a connection: the server has one. */
  private async drop(): Promise<void> {
    const { baton } = this
    this.baton = null
    if (baton === null) return
    await this.post(`{"baton":"${baton}","requests":[{"type":"close"}]}`, `Bearer ${this.options.authToken}`)
  }

  private async post(text: string, authorization = ''): Promise<Answer> {
    try {
      if (!this.exchange?.isOpen) this.exchange = new Exchange(this.options.serverPort)
      return await this.exchange.post(text, authorization)
    } catch (error) {
      this.baton = null
      throw error
    }
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse, text: string): Promise<void> {
    const { method = 'GET', url = '/', headers } = incoming
    const { agent } = this
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const address = { host: '127.0.0.1', port: this.options.serverPort, path: url }
      const sent = request({ ...address, method, headers, agent }, resolve).once('error', reject)
      outgoing.once('close', () => sent.destroy())
      sent.end(text, 'latin1')
    })
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    await pipeline(answer, outgoing)
  }
}

/** Posts one request after the other on a socket of its own. With Node's client the pool takes a third more CPU. */
class Exchange {
  private readonly socket: Socket
  private readonly head: string
  private text = ''
  /** Characters from the head to the end of the answer, once the head is there. */
  private length = 0
  private pending: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null

  constructor(port: number) {
    this.head = `POST /v3/pipeline HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true })
      .setEncoding('latin1')
      .on('data', (chunk: string) => this.read(chunk))
      // 'close' follows.
      .on('error', () => undefined)
      .on('close', () => this.pending?.reject(new Error('The database server has closed the connection.')))
  }

  post(text: string, authorization: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject }
      const headers = `authorization: ${authorization}\r\ncontent-length: ${text.length}\r\n\r\n`
      this.socket.write(this.head + headers + text, 'latin1')
    })
  }

  get isOpen(): boolean {
    return !this.socket.destroyed
  }

  close(): void {
    this.socket.destroy()
  }

  private read(chunk: string): void {
    this.text += chunk
    if (this.length === 0) {
      const end = this.text.indexOf('\r\n\r\n')
      if (end < 0) return
      this.length = end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(this.text)?.[1])
    }
    if (this.text.length < this.length) return
    const { text, length, pending } = this
    const start = text.indexOf('\r\n\r\n') + 4
    const type = /\r\ncontent-type: *([^\r]+)/i.exec(text.slice(0, start))?.[1] ?? 'text/plain'
    this.text = ''
    this.length = 0
    this.pending = null
    if (text.length === length) pending?.resolve({ status: Number(text.slice(9, 12)), type, text: text.slice(start) })
    else this.socket.destroy(new Error(unknownForm))
  }
}

/**
 * The ids that the texts of a request have which may share the connection; null: it goes on, is not of libSQL's client, or changes the
 * connection. In a JSON string quotes are escaped, so that nobody's data are taken for keys.
 */
function readShareable(text: string): string[] | null {
  if (!text.startsWith(opening) || !text.endsWith(closing) || /\b(pragma|temp|temporary)\b/i.test(text)) return null
  const ids = [...text.matchAll(/"store_sql"(?:,"sql_id":(\d+))?/g)].map(([, id]) => id)
  return ids.every((id) => id !== undefined) ? ids : null
}

/** It has expired, or is of a server before this one: nothing was done. */
function isUnknownBaton({ status, text }: Answer): boolean {
  return status === 400 && (text.includes('"STREAM_EXPIRED"') || text === 'Received an invalid baton')
}

function respond(outgoing: ServerResponse, { status, type, text }: Answer): void {
  outgoing.writeHead(status, { 'content-type': type, 'content-length': text.length })
  outgoing.end(text, 'latin1')
}

/** The server is gone. Nobody asks again here: it may have done what it was asked. */
function refuse(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy()
  else respond(outgoing, { status: 502, type: 'text/plain', text: 'The database server does not answer.' })
}

function read(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream
      .setEncoding('latin1')
      .on('data', (chunk: string) => (text += chunk))
      .once('end', () => resolve(text))
      .once('error', reject)
  })
}
