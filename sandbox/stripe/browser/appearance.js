// @ts-check
/* global document */

const themes = ['stripe', 'night', 'flat', 'none']
const variables = [
  'colorPrimary',
  'colorText',
  'colorTextSecondary',
  'colorTextPlaceholder',
  'colorBackground',
  'colorDanger',
  'borderRadius',
  'fontFamily',
  'fontSizeBase',
  'spacingUnit',
]

export function appear(
  /** @type {{ theme?: string, variables?: Record<string, string>, rules?: object }} */ appearance,
) {
  const { theme = 'stripe', variables: wanted = {}, rules = {} } = appearance
  const root = document.documentElement
  root.dataset.theme = themes.includes(theme) ? theme : 'stripe'
  for (const name of variables) {
    const value = wanted[name]
    if (value === undefined) root.style.removeProperty(property(name))
    else root.style.setProperty(property(name), value)
  }
  const unknown = [
    ...Object.keys(wanted).filter((name) => !variables.includes(name)),
    ...Object.keys(rules).map((rule) => `the rule ${rule}`),
    ...(themes.includes(theme) ? [] : [`the theme ${theme}`]),
  ]
  if (unknown.length > 0) console.warn(`Stripe's stand-in: the appearance does without ${unknown.join(', ')}.`)
}

function property(/** @type {string} */ name) {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
