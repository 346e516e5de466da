import type { Email } from '../deps'
import { emailColors, shopContact, shopName, tagline } from '../../shop-name'
import { language } from '../../i18n/language'
import { translate } from '../../i18n/translate'

export interface EmailContent extends Pick<Email, 'id' | 'recipient' | 'subject'> {
  paragraphs: Part[]
  /** Why the recipient gets this email. */
  reason: string
  /** An address; beside the text, so that nothing is missing where pictures are not loaded. */
  picture?: string | null
}

/** A text, whose lines end with `\n`, a table or a button: these have the only links. One in a visitor's text must not become clickable. */
export type Part = string | { rows: Row[] } | { button: { text: string; link: string } }

/** `link` is where the value leads. */
export type Row = [name: string, value: string, link?: string]

/** With its postal address and phone. */
function shop(): string {
  const { sellerAddress, ordersPhone } = shopContact
  return [[shopName, translate(tagline)].filter(Boolean).join(', '), sellerAddress.replaceAll('\n', ', '), ordersPhone]
    .filter(Boolean)
    .join('\n')
}

/** The same content as plain text and as HTML. */
export function renderEmail({ id, recipient, subject, ...content }: EmailContent): Email {
  return { id, recipient, subject, text: renderText(content), html: renderHtml(subject, content) }
}

type Body = Omit<EmailContent, 'id' | 'recipient' | 'subject'>

function renderText({ paragraphs, reason }: Body): string {
  return [...paragraphs.map(partText), `${shop()}\n${reason}`].join('\n\n')
}

function partText(part: Part): string {
  if (typeof part === 'string') return part
  if ('button' in part) return `${part.button.text}:\n${part.button.link}`
  return part.rows
    .map(([name, value, link]) => `${name}: ${value}${link && link !== value ? ` (${link})` : ''}`)
    .join('\n')
}

/** Email clients read inline styles, and most of them the media query. */
const darkStyles = () => `@media (prefers-color-scheme:dark){body{background:#1e1814!important;color:#fbf7f0!important}
.name,.foot{border-color:${emailColors.accentDark}!important}.foot,th{color:#c9bba6!important}.button{background:${emailColors.mainDark}!important;color:#1e1814!important}}`

function renderHtml(subject: string, { paragraphs, reason, picture }: Body): string {
  return `<!doctype html>
<html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${darkStyles()}</style></head>
<body style="margin:0;background:#fbf7f0;color:#1e1814;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px 16px;overflow-wrap:anywhere">
<p class="name" style="margin:0 0 24px;padding-bottom:8px;border-bottom:2px solid ${emailColors.accent};font:28px Palatino,Georgia,serif">${escapeHtml(shopName)}</p>
${[
  ...(picture ? [`<img src="${escapeHtml(picture)}" alt="" width="120" height="120" style="object-fit:contain">`] : []),
  ...paragraphs.map(partHtml),
  `<p class="foot" style="margin:32px 0 0;padding-top:12px;border-top:1px solid ${emailColors.accent};color:#5e5247;font-size:14px">${escapeHtml(`${shop()}\n${reason}`)}</p>`,
].join('\n')}
</div></body></html>`
}

function partHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  return 'button' in part ? buttonHtml(part.button) : tableHtml(part.rows)
}

function buttonHtml({ text, link }: { text: string; link: string }): string {
  return `<p style="margin:24px 0"><a class="button" href="${escapeHtml(link)}" style="display:inline-block;padding:12px 24px;background:${emailColors.main};color:#fbf7f0;font-weight:600;text-decoration:none">${escapeHtml(text)}</a></p>`
}

function tableHtml(rows: Row[]): string {
  const cells = rows.map(
    ([name, value, link]) =>
      `<tr><th align="left" valign="top" style="padding:2px 16px 2px 0;color:#5e5247;font-weight:400;white-space:nowrap">${escapeHtml(name)}</th><td>${link ? linkHtml(value, link) : escapeHtml(value)}</td></tr>`,
  )
  return `<table cellspacing="0" style="font:inherit">${cells.join('')}</table>`
}

function linkHtml(text: string, link: string): string {
  return `<a href="${escapeHtml(link)}" style="color:inherit">${escapeHtml(text)}</a>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\n', '<br>')
}
