import { json } from './json-response'
import { createFaults, InterruptedRequest } from './faults'
import { fakeGoogle } from './google'
import { startServer } from './http-server'
import { fakeImageHosts } from './image-hosts'
import { fakeResend } from './resend/resend'
import { openStateFile } from './state-file'
import { fakeStripe } from './stripe/stripe'

export interface SandboxOptions {
  port: number
  /** Called for each delivery if it is a function. */
  webhookUrl: string | (() => string)
  stateFilePath?: string
  log?: (line: string) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

interface Sandbox {
  url: string
  stop(): Promise<void>
}

export async function startSandbox({
  port,
  webhookUrl,
  stateFilePath,
  log = console.error,
  now = () => Date.now(),
}: SandboxOptions): Promise<Sandbox> {
  const stateFile = openStateFile(stateFilePath, log)
  const faults = createFaults()
  const stripe = fakeStripe({
    stateFile,
    now,
    faults,
    webhookUrl: () => (typeof webhookUrl === 'string' ? webhookUrl : webhookUrl()),
    log,
  })
  const services: [paths: RegExp, handle: (request: Request) => Promise<Response>][] = [
    [/^\/(v1\/|checkout\/|authenticate\/|endive\/|elements\/|ledger$|disputes$)/, stripe.handle],
    [/^\/($|mail$|emails$)/, fakeResend({ stateFile, now, faults, log })],
    [/^\/(o\/|oauth2\/v3\/|token$)/, fakeGoogle({ now, faults, log })],
    [/^\/image-hosts\//, fakeImageHosts],
    [/^\/faults$/, faults.handle],
  ]

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const service = services.find(([paths]) => paths.test(pathname))
    if (service) return service[1](request).catch(interruptedResponse)
    if (pathname === '/favicon.ico') return new Response(null, { status: 204 })
    const message = `The sandbox does not know ${request.method} ${pathname}.`
    log(`sandbox: ${message}`)
    return json(501, { error: { type: 'api_error', code: 'sandbox_unsupported', message } })
  }

  try {
    const server = await startServer({ port, handle, log })
    stripe.start()
    return {
      url: server.url,
      async stop() {
        stripe.stop()
        await server.stop()
        stateFile.write()
      },
    }
  } catch (error) {
    stripe.stop()
    throw error
  }
}

function interruptedResponse(error: unknown): Response {
  if (error instanceof InterruptedRequest) return error.response
  throw error
}
