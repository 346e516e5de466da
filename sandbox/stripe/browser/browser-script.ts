import { readFileSync } from 'node:fs'

/** In order of dependency. */
const parts = ['integration.js', 'frame.js', 'payment-element.js', 'elements.js', 'stripe.js']
const modules = ['api', 'appearance', 'card', 'controller', 'field', 'frame', 'parent', 'payment']

/** Pages load one plain script and expect `window.Stripe`: the modules are concatenated without imports and exports. */
const script = `(() => {
'use strict'
${parts
  .map((name) =>
    read(name)
      .replace(/^import .*\n/gm, '')
      .replace(/^export /gm, ''),
  )
  .join('\n')}
})()
`
const files = new Map(modules.map((name) => [name, read(`${name}.js`)]))

function read(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
}

export function browserScript(): Response {
  return javascript(script, {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
}

export function frameModule(name: string): Response | null {
  const text = files.get(name)
  return text === undefined ? null : javascript(text)
}

function javascript(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}
