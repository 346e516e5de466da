import { methods, type Method } from '../../../app/api/endpoint.server'
import { paths } from '../../support/pages'
import type { TestBrowser } from '../../support/test-browser'
import type { Campaign } from './campaign'
import type { FuzzCase } from './fields'
import type { Target } from './targets'

/** tests/api/wire.test.ts has the verbs that the server refuses before the Worker. */
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

export function verbCases(targets: Target[], verbs = [...safeVerbs, ...unsafeVerbs]): FuzzCase[] {
  return targets.flatMap((target) =>
    verbs.flatMap((method) =>
      Object.entries(types).map(([type, contentType]) => {
        const path = `${target.path.replace(/\{\w+\}/, encodeURIComponent(target.id ?? ''))}?`
        const name = `${method} ${target.path} ${type}`
        return {
          name,
          group: target.name,
          async run(campaign: Campaign) {
            const headers = { ...target.headers, ...override, ...(contentType ? { 'content-type': contentType } : {}) }
            const body = ['GET', 'HEAD'].includes(method) ? undefined : (bodies[type] ?? '{"x":1}')
            const response = await campaign.ask(target.browser, name, {
              method,
              path: path.replace(/\?$/, ''),
              headers: body === undefined || contentType ? headers : headers,
              body: contentType || body === undefined ? body : new TextEncoder().encode(body),
            })
            const expected = statusOf(target, targets, method, type)
            if (response && expected && response.status !== expected) {
              campaign.fault(name, `${response.status}, not ${expected}: ${response.text}`)
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
  const effectiveMethod = method === 'HEAD' ? 'GET' : method
  const call = targets.find((each) => each.path === path && each.method === effectiveMethod)
  // That path also has a page with a form.
  if (path === '/instruments/{id}' && method === 'POST' && /form|multipart/.test(type)) return null
  if (!methods.includes(effectiveMethod as Method) || !call) return 405
  // Another call of the path may be for other users, and authorization comes before the body check.
  return call.name === target.name && call.call.body && type !== 'json' ? 415 : null
}

/** Signing out would end the session that the other cases use. */
const pagePaths = paths
  .filter(({ path, file }) => !file.startsWith('routes/api/') && path !== '/sign-out')
  .map(({ path }) => path.replaceAll(/:\w+\??/g, 'x').replace('*', 'nowhere/at/all'))

export function pageCases(browser: TestBrowser, origin: string): FuzzCase[] {
  return pagePaths.flatMap((path) =>
    [path, `${path === '/' ? '/_root' : path}.data`].flatMap((each) =>
      [...safeVerbs, ...unsafeVerbs].flatMap((method) => {
        const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method)
        return (isRead ? (['none'] as const) : (['form', 'json', 'none'] as const)).map((type) => {
          const name = `${method} ${each} ${type}`
          const contentType = types[type]
          return {
            name,
            group: `pages ${method}`,
            async run(campaign: Campaign) {
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
