import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import { describeApi } from '../../app/api/openapi.server'

interface Described {
  responses: Record<string, { content?: { 'application/json': { schema: object } } }>
}

const document = JSON.parse(JSON.stringify(describeApi('http://127.0.0.1:8788'))) as {
  paths: Record<string, Record<string, Described>>
  components: object
}
const ajv = new Ajv2020({ strict: true, allErrors: true, formats: {} })
ajv.addKeyword('components')
const checks = new Map<string, ValidateFunction>()

/** A path of the API as its document names it: `/order/42` -> `/order/{id}`; null for what is no path of the API. */
function describedPath(pathname: string): string | null {
  // That is how pages ask for their data: the router takes it for one of those, whatever stands before.
  if (pathname.endsWith('.data')) return null
  const match = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
  // A path without braces is meant before one with them.
  return (
    Object.keys(document.paths)
      .sort()
      .find((path) => path === pathname || match(path)) ?? null
  )
}

/**
 * Throws when an answer of the API is not one that its document describes: its status, its type, its body to the last key. Every
 * answer that any test gets passes here.
 */
export async function holdToContract(method: string, url: URL, response: Response): Promise<void> {
  const path = describedPath(url.pathname)
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  // A browser is shown pages: of an instrument, of the reviews, and for every other path of programs the one of no such path.
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html')
  const hasPage = path !== null && ['/instruments/{id}', '/reviews'].includes(path)
  if (path === null || (hasPage && !isJson) || (isPage && response.status === 404)) return
  const name = `${method} ${path} ${response.status}`
  // Verbs are told apart by case: `patch` is none.
  const verb = method === 'HEAD' ? 'GET' : method
  const described = verb === verb.toUpperCase() ? document.paths[path]![verb.toLowerCase()] : undefined
  if (!described) {
    if (response.status === 405 ? response.headers.has('allow') : [204, 403].includes(response.status)) return
    throw new Error(`${name}: the API's document has no such call`)
  }
  const answer = described.responses[response.status]
  // The guard before the router refuses what comes from another site: that is no answer of a call.
  if (!answer && response.status === 403 && !isJson) return
  if (!answer) throw new Error(`${name}: not described. ${await response.clone().text()}`)
  const schema = answer.content?.['application/json'].schema
  const text = await response.clone().text()
  if (!schema || method === 'HEAD') {
    if (text !== '') throw new Error(`${name}: has a body, and none is described`)
    return
  }
  if (!isJson) throw new Error(`${name}: is not JSON: ${response.headers.get('content-type')}`)
  let check = checks.get(name)
  if (!check) {
    check = ajv.compile({ ...schema, components: document.components })
    checks.set(name, check)
  }
  if (!check(JSON.parse(text))) throw new Error(`${name}: ${ajv.errorsText(check.errors)} in ${text.slice(0, 500)}`)
}
