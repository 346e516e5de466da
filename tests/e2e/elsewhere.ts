import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame } from '@playwright/test'
import { formPairs, type UnsafeRequest } from '../support/unsafe-requests'

/** The sandboxed frame sends `Origin: null`. */
export async function startElsewhere(): Promise<{ port: number; stop: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const framed = '<iframe sandbox="allow-scripts allow-forms" src="/"></iframe>'
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Elsewhere</title>${request.url === '/framed' ? framed : ''}`)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface AttackTarget {
  method: string
  url: string
  fields: UnsafeRequest['fields']
}

export function attack(frame: Frame, targets: AttackTarget[]): Promise<number> {
  const withPairs = targets.map((target) => ({ ...target, pairs: formPairs(target.fields) }))
  return frame.evaluate(async (all) => {
    const inFrame = (url: string, enctype: string, fields: [string, string][]) =>
      new Promise<void>((resolve) => {
        const sink = document.createElement('iframe')
        sink.name = String(Math.random())
        document.body.appendChild(sink)
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: url, enctype, target: sink.name })
        for (const [name, value] of fields) {
          const field = document.createElement('textarea')
          Object.assign(field, { name, value })
          form.appendChild(field)
        }
        document.body.appendChild(form)
        sink.addEventListener('load', () => resolve())
        setTimeout(resolve, 10_000)
        form.submit()
      })
    const picture = (url: string) =>
      new Promise<void>((resolve) => {
        const image = new Image()
        image.onload = image.onerror = () => resolve()
        image.src = url
      })
    const quietly = (url: string, init: RequestInit) =>
      fetch(url, init).then(
        () => undefined,
        () => undefined,
      )

    const attempts = all.flatMap(({ method, url, fields, pairs }) => {
      const json = JSON.stringify(fields)
      const disguised: [string, string][] = [[`${json.slice(0, -1)}${json === '{}' ? '' : ','}"x":"`, '"}']]
      const credentials = 'include'
      return [
        inFrame(url, 'application/x-www-form-urlencoded', pairs),
        inFrame(url, 'multipart/form-data', pairs),
        inFrame(url, 'text/plain', disguised),
        inFrame(`${url}${url.includes('?') ? '&' : '?'}_method=${method}`, 'application/x-www-form-urlencoded', [
          ...pairs,
          ['_method', method],
        ]),
        quietly(url, { method: 'POST', mode: 'no-cors', credentials, body: json }),
        quietly(url, { method: 'POST', mode: 'no-cors', credentials, body: new Blob([json]) }),
        quietly(url, { method: 'POST', mode: 'no-cors', credentials, body: new URLSearchParams(pairs) }),
        quietly(url, { method, credentials, headers: { 'content-type': 'application/json' }, body: json }),
        quietly(url, { method: 'POST', credentials, headers: { 'content-type': 'text/plain' }, body: json }),
        Promise.resolve(navigator.sendBeacon(url, new Blob([json], { type: 'text/plain' }))),
        picture(`${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(pairs).toString()}`),
      ]
    })
    await Promise.all(attempts)
    return attempts.length
  }, withPairs)
}

export function submitFrom(frame: Frame, { url, fields }: AttackTarget): Promise<void> {
  return frame.evaluate(
    ({ action, pairs }) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action, target: '_top' })
      for (const [name, value] of pairs) {
        const field = document.createElement('textarea')
        Object.assign(field, { name, value })
        form.appendChild(field)
      }
      document.body.appendChild(form)
      form.submit()
    },
    { action: url, pairs: formPairs(fields) },
  )
}
