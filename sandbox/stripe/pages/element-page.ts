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
          picture: visa,
        })}
        ${field({
          name: 'expiry',
          label: html`Expiration date <span class="unseen">MM / YY</span>`,
          autocomplete: 'cc-exp',
          placeholder: 'MM / YY',
        })}
        ${field({ name: 'cvc', label: 'Security code', autocomplete: 'cc-csc', placeholder: 'CVC', picture: cardBack })}
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
  picture?: Html
}

function field({ name, label, autocomplete, placeholder, isWide = false, picture }: Field): Html {
  return html`<div ${isWide && html`class="wide"`}>
    <label class="Label" for="Field-${name}Input">${label}</label>
    <div ${picture && html`class="place"`}>
      <input
        class="Input"
        id="Field-${name}Input"
        name="${name}"
        type="text"
        inputmode="numeric"
        autocomplete="${autocomplete}"
        placeholder="${placeholder}"
        aria-describedby="Field-${name}Error"
        aria-required="true"
        spellcheck="false"
      />
      ${picture}
    </div>
    <p class="Error" id="Field-${name}Error" role="alert" hidden></p>
  </div>`
}

const visa = html`<svg width="32" height="21" viewBox="0 0 32 21" aria-hidden="true">
  <rect x="0.5" y="0.5" width="31" height="20" rx="2.5" fill="#fff" stroke="#d8d8dc" />
  <text
    x="16"
    y="14.5"
    text-anchor="middle"
    font-family="Arial, sans-serif"
    font-size="10"
    font-weight="700"
    font-style="italic"
    fill="#1434cb"
  >
    VISA
  </text>
</svg>`

const cardBack = html`<svg width="30" height="21" viewBox="0 0 30 21" aria-hidden="true">
  <rect x="0.5" y="0.5" width="29" height="20" rx="2.5" fill="#fff" stroke="#a3a4ad" />
  <rect y="4" width="30" height="4" fill="#6d6e78" />
  <rect x="16" y="11" width="11" height="6" rx="3" fill="none" stroke="#6d6e78" />
  <text
    x="21.5"
    y="15.6"
    text-anchor="middle"
    font-family="Arial, sans-serif"
    font-size="5"
    font-weight="700"
    fill="#30313d"
  >
    123
  </text>
</svg>`
