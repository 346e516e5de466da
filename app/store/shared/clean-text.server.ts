/*
 * Phones, messengers and PDFs paste signs that nobody sees, or that look like a plain one. Texts lose them where they come in, before any
 * rule: fields of forms and of JSON, addresses, cells of files, and what Google says. What is stored and compared has none.
 */

const unseen =
  /[\u0080-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,8})[\u{e0000}-\u{e007f}]/gu

const joiner = String.raw`[\u200c\u200d]`
const plain = String.raw`[\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}\p{Z}]`
/** Emoji and the scripts that need them keep joiners and variation selectors, letters of ours do not. */
const unseenHere = new RegExp(
  [
    String.raw`(?<=^|[\p{Script=Latin}\p{Z}])[\u200c\u200d\u034f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+`,
    `(?<=${plain}|${joiner})${joiner}+|${joiner}+(?=$|${plain})`,
  ].join('|'),
  'gu',
)
const spaces = /[\p{Zs}\u2800\u3164\uffa0]/gu
const hyphens = /[\u2010\u2011]/g
const newlines = /[\u0085\u2028\u2029]/g

/**
 * The text that a reader sees: composed (NFC), without unseen signs, with plain spaces, hyphens and line breaks, and `\ufffd` for half a
 * character. Prose keeps its dashes and quotes (see `plainSigns`). Not for passwords.
 */
export function cleanText(text: string): string {
  if (/^[\n\r\t -~]*$/.test(text)) return text
  return text
    .toWellFormed()
    .replace(spaces, ' ')
    .replace(hyphens, '-')
    .replace(newlines, '\n')
    .replace(unseen, '')
    .normalize('NFC')
    .replace(unseenHere, '')
    .normalize('NFC')
}

/** What of a name may be stored: as it came, where it is older than `cleanText`, or clean. */
export function spellingsOf(name: string): string[] {
  return [name, cleanText(name)]
}

/** Its parameters as clean texts. Nearly every address ends at the first line. */
export function cleanAddress(address: string): string {
  if (!/\?.*%[89a-f]/i.test(address)) return address
  const url = new URL(address)
  const params = [...url.searchParams].map(([name, value]) => [name, cleanText(value)])
  url.search = new URLSearchParams(params).toString()
  return url.href
}
