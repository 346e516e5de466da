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

/** Of the rules only these two properties of '.Input'. */
const inputProperties = { borderColor: '--line', boxShadow: '--lift' }

export function applyAppearance(
  /** @type {{ theme?: string, variables?: Record<string, string>, rules?: Record<string, Record<string, string>> }} */ appearance,
) {
  const { theme = 'stripe', variables: overrides = {}, rules = {} } = appearance
  const root = document.documentElement
  root.dataset.theme = themes.includes(theme) ? theme : 'stripe'
  for (const name of variables) {
    const value = overrides[name]
    if (value === undefined) root.style.removeProperty(cssName(name))
    else root.style.setProperty(cssName(name), value)
  }
  const { '.Input': input = {}, ...otherRules } = rules
  for (const [name, property] of Object.entries(inputProperties)) {
    if (input[name] === undefined) root.style.removeProperty(property)
    else root.style.setProperty(property, input[name])
  }
  const unsupported = [
    ...Object.keys(overrides).filter((name) => !variables.includes(name)),
    ...Object.keys(otherRules).map((rule) => `the rule ${rule}`),
    ...Object.keys(input)
      .filter((name) => !(name in inputProperties))
      .map((name) => `${name} of .Input`),
    ...(themes.includes(theme) ? [] : [`the theme ${theme}`]),
  ]
  if (unsupported.length > 0) console.warn(`Stripe.js fake: the appearance ignores ${unsupported.join(', ')}.`)
}

function cssName(/** @type {string} */ name) {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
