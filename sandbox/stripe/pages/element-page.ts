import { html, page, type Html } from '../../page'
import { styles } from './element-style'

/** Own scripts and own origin only; any page may embed the frame. */
const policy = {
  'script-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'none'",
  'frame-ancestors': '*',
}

export function paymentFrame(): Response {
  return page({
    title: 'Secure payment input frame (sandbox)',
    policy,
    styles,
    body: html`
      <div id="form">
        ${field({
          name: 'number',
          label: 'Card number',
          autocomplete: 'cc-number',
          placeholder: '1234 1234 1234 1234',
          isWide: true,
        })}
        ${field({
          name: 'expiry',
          label: html`Expiration date <span class="unseen">MM / YY</span>`,
          autocomplete: 'cc-exp',
          placeholder: 'MM / YY',
        })}
        ${field({ name: 'cvc', label: 'Security code', autocomplete: 'cc-csc', placeholder: 'CVC' })}
      </div>
      <p id="notice" role="alert" hidden></p>
      <script type="module" src="/elements/payment.js"></script>
    `,
  })
}

export function controllerFrame(): Response {
  return page({
    title: 'Payment controller (sandbox)',
    policy,
    body: html`<script type="module" src="/elements/controller.js"></script>`,
  })
}

interface Field {
  name: string
  label: string | Html
  autocomplete: string
  placeholder: string
  isWide?: boolean
}

function field({ name, label, autocomplete, placeholder, isWide = false }: Field): Html {
  return html`<div ${isWide && html`class="wide"`}>
    <label class="Label" for="Field-${name}Input">${label}</label>
    <input
      class="Input"
      id="Field-${name}Input"
      name="${name}"
      inputmode="numeric"
      autocomplete="${autocomplete}"
      placeholder="${placeholder}"
      aria-describedby="Field-${name}Error"
      aria-required="true"
      spellcheck="false"
    />
    <p class="Error" id="Field-${name}Error" role="alert" hidden></p>
  </div>`
}
