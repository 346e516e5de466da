import routes from '../../../app/routes'
import { methods, type Method } from '../../../app/api/endpoint.server'
import type { TestBrowser } from '../../support/test-browser'
import type { Campaign } from './campaign'
import type { Shot } from './fields'
import type { Target } from './targets'

interface FileOfRoute {
  file: string
  path?: string | undefined
  index?: boolean | undefined
  children?: FileOfRoute[] | undefined
}

/** Verbs that must have no effect, whatever else a request says. (What the server refuses before the Worker: tests/api/wire.test.ts.) */
export const safeVerbs = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'PURGE', 'SEARCH']
const unsafeVerbs = ['POST', 'PUT', 'PATCH', 'DELETE']

const types: Record<string, string | undefined> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
  'multipart without boundary': 'multipart/form-data',
  text: 'text/plain',
  'utf-7': 'application/json;charset=utf-7',
  none: undefined,
}
const bodies: Record<string, string> = {
  form: '_method=DELETE&description=x',
  multipart: '--x\r\nContent-Disposition: form-data; name="_method"\r\n\r\nDELETE\r\n--x--\r\n',
}
const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }

/** Every verb with every type of body, on every path of the API; what a call does not take must be refused in so many words. */
export function verbShots(targets: Target[], verbs = [...safeVerbs, ...unsafeVerbs]): Shot[] {
  return targets.flatMap((target) =>
    verbs.flatMap((method) =>
      Object.entries(types).map(([type, contentType]) => {
        const path = `${target.path.replace(/\{\w+\}/, encodeURIComponent(target.id ?? ''))}?`
        const name = `${method} ${target.path} ${type}`
        return {
          name,
          lane: target.name,
          async fire(campaign: Campaign) {
            const headers = { ...target.headers, ...override, ...(contentType ? { 'content-type': contentType } : {}) }
            const body = ['GET', 'HEAD'].includes(method) ? undefined : (bodies[type] ?? '{"x":1}')
            const heard = await campaign.ask(target.browser, name, {
              method,
              path: path.replace(/\?$/, ''),
              headers: body === undefined || contentType ? headers : headers,
              body: contentType || body === undefined ? body : new TextEncoder().encode(body),
            })
            const expected = statusOf(target, targets, method, type)
            if (heard && expected && heard.status !== expected) {
              campaign.fault(name, `${heard.status}, not ${expected}: ${heard.text}`)
            }
          },
        }
      }),
    ),
  )
}

function statusOf(target: Target, targets: Target[], method: string, type: string): number | null {
  const { path } = target
  if (method === 'OPTIONS') return 204
  const asked = method === 'HEAD' ? 'GET' : method
  const call = targets.find((each) => each.path === path && each.method === asked)
  // That form is one of the page's that stands at the same address.
  if (path === '/instruments/{id}' && method === 'POST' && /form|multipart/.test(type)) return null
  if (!methods.includes(asked as Method) || !call) return 405
  // Another call of the path may be for other callers: what is told before the body is looked at depends on who asks.
  return call.name === target.name && call.call.body && type !== 'json' ? 415 : null
}

/** Every verb on every other path of the shop, its pages and their data: as anybody, and as somebody who is signed in. */
export function pageShots(browser: TestBrowser, origin: string): Shot[] {
  return pathsOf(routes as FileOfRoute[]).flatMap((path) =>
    [path, `${path === '/' ? '/_root' : path}.data`].flatMap((each) =>
      [...safeVerbs, ...unsafeVerbs].flatMap((method) => {
        const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method)
        return (isRead ? (['none'] as const) : (['form', 'json', 'none'] as const)).map((type) => {
          const name = `${method} ${each} ${type}`
          const contentType = types[type]
          return {
            name,
            lane: `pages ${method}`,
            async fire(campaign: Campaign) {
              await campaign.ask(browser, name, {
                method,
                path: each,
                headers: { origin, ...override, ...(contentType ? { 'content-type': contentType } : {}) },
                body: isRead ? undefined : (bodies[type] ?? '{"x":1}'),
              })
            },
          }
        })
      }),
    ),
  )
}

function pathsOf(all: FileOfRoute[]): string[] {
  const paths = all.flatMap((route) => [
    ...(route.index || route.path !== undefined ? [route] : [])
      .filter(({ file }) => !file.startsWith('routes/api/'))
      .map(pathOf),
    ...pathsOf(route.children ?? []),
  ])
  // What signs out would end the session that the others are asked with.
  return [...new Set(paths)].filter((path) => path !== '/sign-out')
}

function pathOf({ path = '' }: FileOfRoute): string {
  return `/${path.replace(/:\w+/, 'x').replace('*', 'nowhere/at/all')}`
}
