import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What wrangler asks of Cloudflare's API for the commands of `npm run deploy`. */
export async function startFakeCloudflare({ secrets, hasBucket = true }: { secrets: string[]; hasBucket?: boolean }) {
  const requests: { method: string; path: string; body: string }[] = []
  const script = { etag: 'e', handlers: ['fetch'] }
  const answers: [path: RegExp, result: unknown][] = [
    [/\/secrets$/, secrets.map((name) => ({ name, type: 'secret_text' }))],
    [/\/lifecycle$/, { rules: [] }],
    [/\/services\//, { default_environment: { script: { last_deployed_from: 'wrangler' } } }],
    [/\/deployments$/, { deployments: [{ versions: [{ version_id: 'before', percentage: 100 }] }] }],
    [/\/assets-upload-session$/, { jwt: 'jwt', buckets: [] }],
    [/\/settings$/, { bindings: [] }],
    [/\/versions$/, { id: 'after', startup_time_ms: 1, metadata: {}, resources: { script, script_runtime: {} } }],
    [/^\/zones$/, [{ id: 'zone' }]],
    [/\/routes$/, []],
  ]

  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const path = new URL(request.url!, 'http://cloudflare').pathname
      requests.push({ method: request.method!, path, body })
      const isMissing = path.includes('/r2/') && !hasBucket
      const result = answers.find(([pattern]) => pattern.test(path))?.[1] ?? {}
      const errors = isMissing ? [{ code: 10006, message: 'The specified bucket does not exist.' }] : []
      response.writeHead(isMissing ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ success: !isMissing, errors, messages: [], result }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    requests,
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    },
    stop: () => server.close(),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
