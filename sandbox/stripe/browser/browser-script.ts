import { readFileSync } from 'node:fs'

/** The modules of Stripe's script for the shop's pages, each after those that it needs. */
const parts = ['integration.js', 'frame.js', 'payment-element.js', 'elements.js', 'stripe.js']
/** What the frames load as modules. */
const modules = ['api', 'appearance', 'card', 'controller', 'field', 'frame', 'parent', 'payment']

/**
 * A page loads the script by a plain tag and finds `window.Stripe` when it is loaded. So it is one file and no module:
 * the parts one after the other, without the lines by which they name each other.
 */
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

/** Stripe's script, for a page of any origin. */
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
