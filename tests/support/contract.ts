import { gunzipSync } from 'node:zlib'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import { describeApi } from '../../app/api/openapi.server'

interface Described {
  responses: Record<string, { headers: Record<string, object>; content?: { 'application/json': { schema: object } } }>
}

const document = JSON.parse(JSON.stringify(describeApi('http://127.0.0.1:8788'))) as {
  paths: Record<string, Record<string, Described>>
  components: { headers: Record<string, { required?: true }> }
}
const ajv = new Ajv2020({ strict: true, allErrors: true, formats: { int32: true, date: /^\d{4}-\d\d-\d\d$/ } })
ajv.addKeyword('components')
const checks = new Map<string, ValidateFunction>()

function describedPath(pathname: string): string | null {
  // Remix data requests end in `.data`; the router takes them before the path.
  if (pathname.endsWith('.data')) return null
  const match = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
  // An exact path wins over a path with parameters.
  return (
    Object.keys(document.paths)
      .sort()
      .find((path) => path === pathname || match(path)) ?? null
  )
}

/** Of the headers that a client acts on: sent but not described, or the other way round. */
function headerFaults({ headers }: Response, described: Record<string, object>): string[] {
  const names = Object.keys(described).map((name) => name.toLowerCase())
  const sent = ['allow', 'etag', 'link', 'location', 'retry-after', 'www-authenticate'].filter((name) =>
    headers.has(name),
  )
  const missing = Object.keys(described).filter(
    (name) => document.components.headers[name]!.required && !headers.has(name),
  )
  return [...sent.filter((name) => !names.includes(name)), ...missing]
}

/** Throws when a response differs from the OpenAPI document; every response in the tests passes here. */
export async function checkContract(method: string, url: URL, response: Response): Promise<void> {
  const path = describedPath(url.pathname)
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  // Browsers get HTML on shared paths and on unknown ones.
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html')
  const hasPage = path !== null && ['/instruments/{id}', '/reviews'].includes(path)
  if (path === null || (hasPage && !isJson) || (isPage && response.status === 404)) return
  const name = `${method} ${path} ${response.status}`
  // Methods are case-sensitive: `patch` is not PATCH.
  const verb = method === 'HEAD' ? 'GET' : method
  const described = verb === verb.toUpperCase() ? document.paths[path]![verb.toLowerCase()] : undefined
  if (!described) {
    if (response.status === 405 ? response.headers.has('allow') : [204, 403].includes(response.status)) return
    throw new Error(`${name}: the API's document has no such call`)
  }
  const declared = described.responses[response.status]
  // The CSRF check refuses before the router, so the document does not describe that response.
  if (!declared && response.status === 403 && !isJson) return
  if (!declared) throw new Error(`${name}: not described. ${await response.clone().text()}`)
  const faults = headerFaults(response, declared.headers)
  if (faults.length > 0) throw new Error(`${name}: sent but not described, or missing: ${faults.join(', ')}`)
  const schema = declared.content?.['application/json'].schema
  const body = Buffer.from(await response.clone().arrayBuffer())
  const text = (response.headers.get('content-encoding') === 'gzip' ? gunzipSync(body) : body).toString()
  if (!schema || method === 'HEAD') {
    if (text !== '') throw new Error(`${name}: has a body, and none is described`)
    return
  }
  if (!isJson) throw new Error(`${name}: is not JSON: ${response.headers.get('content-type')}`)
  const mismatch = schemaFaults(name, schema, JSON.parse(text))
  if (mismatch !== null) throw new Error(`${name}: ${mismatch} in ${text.slice(0, 500)}`)
}

/** Null if the value fits the schema, which `name` identifies. */
export function schemaFaults(name: string, schema: object, value: unknown): string | null {
  let check = checks.get(name)
  if (!check) {
    check = ajv.compile({ ...schema, components: document.components })
    checks.set(name, check)
  }
  return check(value) ? null : ajv.errorsText(check.errors)
}
