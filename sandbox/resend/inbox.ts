import type { SentEmail } from './sent-email'
import { escape, html, page, type Html } from '../page'

export function inboxPage(emails: SentEmail[]): Response {
  return page({
    title: 'Mail in the sandbox',
    styles,
    // Emails have inline styles, and their frame inherits this page's policy.
    policy: { 'style-src': "'unsafe-inline'", 'img-src': 'data: http: https:', 'frame-src': "'self'" },
    body: html`
      <div class="notice">
        <p>
          This is the sandbox of Cadenza. Emails of the shop end here and are not delivered. For programs:
          <a href="/mail">the mail as JSON</a>, <a href="/ledger">the ledger of payments</a> and
          <a href="/faults">the faults</a>.
        </p>
      </div>
      <main>
        <h1>Mail</h1>
        ${
          emails.length === 0
            ? html`<p>Nothing was sent so far. Register in the shop or place an order to see an email.</p>`
            : html`<p>${emails.length === 1 ? 'One email' : `${emails.length} emails, newest first`}.</p>`
        }
        ${emails.map(emailView)}
      </main>
    `,
  })
}

function emailView(email: SentEmail): Html {
  return html`
    <article>
      <h2>${email.subject}</h2>
      <p>
        To ${email.to}, from ${email.from}${email.replyTo !== null && html`, reply to ${email.replyTo}`},
        <time datetime="${email.at}">${email.at.slice(0, 10)} ${email.at.slice(11, 19)} UTC</time>
      </p>
      ${email.text !== null && html`<div class="text">${linkUrls(email.text)}</div>`}
      ${
        email.html !== null &&
        html`<details ${email.text === null && { safe: 'open' }}>
          <summary>As HTML</summary>
          <iframe
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            title="${email.subject}"
            srcdoc="${`<base target="_blank">${email.html}`}"
          ></iframe>
        </details>`
      }
    </article>
  `
}

function linkUrls(text: string): Html {
  const markup = escape(text).replace(/https?:\/\/(?:(?!&lt;|&gt;|&quot;|&#39;)[^\s<>])+/g, (address) => {
    const url = address.replace(/[.,;:!?)\]]+$/, '')
    return `<a href="${url}">${url}</a>${address.slice(url.length)}`
  })
  return { safe: markup }
}

const styles = `
main { padding-top: 1.5rem; padding-bottom: 3rem; }
article { border-top: 1px solid var(--brass); margin-top: 1.5rem; padding-top: 1rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 70ch; }
summary { margin-top: 0.5rem; min-height: 2.75rem; line-height: 2.75rem; color: var(--varnish); cursor: pointer; }
iframe { width: 100%; height: 24rem; border: 1px solid var(--spruce); background: #fff; }
`
