import type { WebhookAnswer, WebhookSender } from '../store/deps'
import { isPublic } from './image-address.server'
import { cutText } from '../store/shared/text'

const timeout = 10_000
/** What is read of an answer, and what is kept. */
const [maxBytes, maxCharacters] = [800, 200]

/**
 * Posts events to the endpoints of other programs. Their addresses are what an admin typed, so that each try checks them: https and a public
 * host name, on the usual port; no redirect is followed, and little of the answer is read. A name that leads to a private address is refused
 * by the Workers runtime. A shop that runs on this machine may also post to this machine.
 */
export function webhookSender(shopOrigin: string): WebhookSender {
  const isLocalShop = isLocal(new URL(shopOrigin))
  const problemOf = (address: string): string | null => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (!url || !(isPublic(url) || (isLocalShop && isLocal(url))))
      return 'The address must begin with https:// and a public host name.'
    return url.origin === shopOrigin ? 'This is the address of the shop itself.' : null
  }
  return {
    problemOf,
    async send({ url, headers, body }) {
      const startedAt = Date.now()
      const problem = problemOf(url)
      const answer = problem ? noAnswer(problem) : await post(url, headers, body)
      return { ...answer, durationMs: Date.now() - startedAt }
    },
  }
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<WebhookAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'cadenza-webhooks/1.0' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    // The status is the answer: whatever becomes of the text.
    return { status: response.status, answer: await beginningOf(response).catch(() => '') }
  } catch (error) {
    const isSlow = error instanceof Error && error.name === 'TimeoutError'
    return noAnswer(isSlow ? `No answer within ${timeout / 1000} seconds.` : 'The address cannot be reached.')
  }
}

function noAnswer(answer: string): WebhookAnswer {
  return { status: null, answer }
}

/** Its first characters, as one line. The rest is not read, however long it is. */
async function beginningOf({ body }: Response): Promise<string> {
  // Of a 204, there is none.
  if (!body) return ''
  const decoder = new TextDecoder()
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let [text, bytes] = ['', 0]
  try {
    while (bytes < maxBytes) {
      const { value, done } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, maxBytes - bytes), { stream: true })
      bytes += value.length
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  return cutText(text.replace(/[\p{C}\s]+/gu, ' ').trim(), maxCharacters)
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
}
