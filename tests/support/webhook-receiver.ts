import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { webhookPayloads } from '../../app/store/integrations/webhook-events.server'

/** Throws unless the payload is as the API document says. */
export function parsePayload(type: string, payload: string): void {
  webhookPayloads.find((each) => each.type === type)!.schema.parse(JSON.parse(payload))
}

/** What a receiver does with a request; `true`: it took the event, and answers 204. */
type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

interface Event {
  id: string
  type: string
  timestamp: string
  version: number
  data: Record<string, unknown>
}

/** A program that takes webhooks as the library of the standard says, and has one effect for each webhook-id. */
export class WebhookReceiver {
  readonly effects = new Map<string, Event>()
  /** Ids of all events that were taken, also again. */
  readonly taken: string[] = []
  requests = 0
  forged = 0
  secret = ''
  behaviour: Behaviour = () => true

  private readonly server = createServer((request, response) => void this.receive(request, response))

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver()
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`
  }

  types(): string[] {
    return [...this.effects.values()].map(({ type }) => type)
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += String(part)
    const take = () => {
      const event = new Webhook(this.secret).verify(body, request.headers as Record<string, string>) as Omit<
        Event,
        'id'
      >
      const id = String(request.headers['webhook-id'])
      this.taken.push(id)
      if (!this.effects.has(id)) this.effects.set(id, { id, ...event })
    }
    try {
      if ((await this.behaviour(request, response, body)) === true) {
        take()
        response.writeHead(204).end()
      }
    } catch {
      this.forged += 1
      response.writeHead(400).end()
    }
  }
}
