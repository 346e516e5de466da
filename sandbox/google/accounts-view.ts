import { html, page, type Html } from '../page'
import { demoAccounts, type Account } from './account'
import { styles } from './accounts-style'
import type { OAuthError } from './refusal'

export type AccountInput = Account

interface State {
  redirectUri: string
  input: AccountInput
  errors?: Partial<Record<keyof AccountInput, string>>
  status?: number
}

const title = 'Sign in with Google (sandbox)'

export function accountsView({ redirectUri, input, errors = {}, status = 200 }: State): Response {
  const { origin, host } = new URL(redirectUri)
  return page({
    title: status === 200 ? title : `Not signed in yet: ${title}`,
    status,
    styles,
    // Browsers check redirects after a form post against form-action, too.
    policy: { 'form-action': `'self' ${origin}` },
    body: shell(html`
      <h1>${title}</h1>
      <p>Choose who you are, to continue to Cadenza at ${host}.</p>
      <form method="post" aria-label="Choose an account">
        <ul role="list">
          ${demoAccounts.map(
            ({ email, name, verified }) =>
              html`<li>
                <button class="account" type="submit" name="choice" value="${email}">
                  <span class="initial" aria-hidden="true">${name.charAt(0)}</span>
                  <span class="who">
                    <strong>${name}</strong> <span>${email}</span> ${!verified && html`<em>Email not verified</em>`}
                  </span>
                </button>
              </li>`,
          )}
        </ul>
      </form>
      <form method="post" novalidate aria-labelledby="another">
        <h2 id="another">Use another account</h2>
        ${field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'email', value: input.email, error: errors.email, autofocus: true })}
        ${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: input.name, error: errors.name, autofocus: errors.email === undefined })}
        <label class="check">
          <input type="checkbox" name="verified" ${input.verified && html`checked`} />
          Email is verified by Google
        </label>
        <label class="check">
          <input type="checkbox" name="personal" ${!input.hosted && html`checked`} />
          Personal account: Google does not host this address
        </label>
        <button type="submit" name="choice" value="typed">Continue</button>
      </form>
      <form method="post" class="cancel">
        <button class="quiet" type="submit" name="choice" value="cancel">Cancel</button>
      </form>
    `),
  })
}

export function errorView({ status, error, message }: OAuthError): Response {
  return page({
    title: `Access blocked: ${title}`,
    status,
    styles,
    body: shell(html`
      <h1>Access blocked: authorization error</h1>
      <p>${message}</p>
      <p>Error ${status}: ${error}</p>
    `),
  })
}

function shell(content: Html): Html {
  return html`
    <div class="notice">
      <p>This is a fake of the sandbox, not Google. Nothing is sent to Google, and it needs no password.</p>
    </div>
    <main>${content}</main>
  `
}

interface Field {
  name: string
  label: string
  type: string
  autocomplete: string
  value: string
  error: string | undefined
  /** Moves the focus to the first invalid field without scripts. */
  autofocus: boolean
}

function field({ name, label, type, autocomplete, value, error, autofocus }: Field): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      required
      ${error !== undefined && html`aria-invalid="true" aria-describedby="${name}-fault"`}
      ${error !== undefined && autofocus && html`autofocus`}
    />
    ${error !== undefined && html`<p class="fault" id="${name}-fault" role="alert">${error}</p>`}
  </div>`
}
