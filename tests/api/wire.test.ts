import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { vi } from 'vitest'
import { buildIfStale } from '../../dev/build'
import { freePort } from '../../dev/ports'
import { startWorker } from '../../dev/worker'
import { programOf } from '../support/api-client'
import { expect, test } from '../support/shop'

/** Raw bytes to the Worker's socket. Rows without a status are refused by the server before the Worker. */
test('survives malformed HTTP', { timeout: 120_000 }, async ({ shop }) => {
  await buildIfStale(() => undefined)
  const port = await freePort()
  const worker = await startWorker({ port, vars: shop.vars, quiet: true })
  try {
    const { token } = await programOf(shop, await shop.customer())
    const head = (line: string, ...more: string[]) =>
      [
        `${line} HTTP/1.1`,
        `Host: ${new URL(shop.deps.origin).host}`,
        `Authorization: Bearer ${token}`,
        ...more,
        '',
        '',
      ].join('\r\n')
    const json = 'Content-Type: application/json'
    const review = '{"description":"Sings."}'
    const packed = gzipSync(Buffer.alloc(20_000_000, ' '))
    const post = 'POST /reviews'
    const trials: [string, (string | Buffer)[], number[] | null][] = [
      ['TRACE', [head('TRACE /order')], [405, 501]],
      ['CONNECT', [head('CONNECT /order')], null],
      ['an unknown verb', [head('FOO /order')], [405, 501]],
      ['a length that is too long', [head(post, json, 'Content-Length: 1000'), review], null],
      ['a length that is too short', [head(post, json, 'Content-Length: 3'), review], [400]],
      ['two lengths', [head(post, json, 'Content-Length: 3', 'Content-Length: 24'), review], null],
      [
        'a length and chunks',
        [head(post, json, 'Content-Length: 3', 'Transfer-Encoding: chunked'), `18\r\n${review}\r\n0\r\n\r\n`],
        null,
      ],
      ['a negative length', [head(post, json, 'Content-Length: -1'), review], null],
      ['a huge length', [head(post, json, 'Content-Length: 99999999999')], [413]],
      ['chunks that are none', [head(post, json, 'Transfer-Encoding: chunked'), 'xyz\r\n'], [400]],
      [
        'chunks without end',
        [
          head(post, json, 'Transfer-Encoding: chunked'),
          ...Array<string>(20).fill(`4000\r\n${' '.repeat(0x4000)}\r\n`),
        ],
        [413],
      ],
      ['a gzip bomb', [head(post, json, 'Content-Encoding: gzip', `Content-Length: ${packed.length}`), packed], [400]],
      ['a GET with a body', [head('GET /order/x', json, `Content-Length: ${review.length}`), review], [404]],
      ['a header without end', [`GET /order HTTP/1.1\r\nX: ${'x'.repeat(200_000)}`], null],
      ['an address without end', [head(`GET /order?${'x'.repeat(200_000)}`)], null],
      ['no HTTP', ['\0\u0001\u0002 hello\r\n\r\n'], null],
    ]
    const results: string[] = []
    for (const [name, parts, expected] of trials) {
      const { status, isOurs } = await answerTo(port, parts)
      if (isOurs && status >= 500) results.push(`${name}: ${status}`)
      if (expected && !expected.includes(status)) results.push(`${name}: ${status}, not ${expected.join(' or ')}`)
      // The next request must work.
      const next = await answerTo(port, [head('GET /order/x', 'Connection: close')])
      if (next.status !== 404) results.push(`${name}: the next request was answered ${next.status}`)
    }
    expect(results).toEqual([])
  } finally {
    await worker.stop()
  }
})

test('answers the next request of a connection after a POST that is refused unread', async ({ shop }) => {
  const { host, port } = new URL(shop.deps.origin)
  const body = JSON.stringify({ description: 'x'.repeat(5_000) })
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1')
  let answers = ''
  socket.on('data', (text: string) => (answers += text))
  socket.on('error', ({ message }) => (answers += message))
  try {
    socket.write(`POST /instruments HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    await vi.waitFor(() => expect(answers).toMatch(/^HTTP\/1\.1 401[^]*\}$/))
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await vi.waitFor(() => expect(answers).toContain('HTTP/1.1 200'))
  } finally {
    socket.destroy()
  }
})

/** Status 0: no response within some seconds, or a closed connection. */
function answerTo(port: number, parts: (string | Buffer)[]): Promise<{ status: number; isOurs: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const done = (text: string) => {
      socket.destroy()
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      resolve({ status, isOurs: /^x-request-id:/im.test(text) })
    }
    socket.setTimeout(4_000, () => done(''))
    socket.once('error', () => done(''))
    socket.once('close', () => done(''))
    socket.once('data', (data) => done(data.toString('latin1')))
    for (const part of parts) socket.write(part)
  })
}
