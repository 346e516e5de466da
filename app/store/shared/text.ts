/** For what is no prose (numbers, codes, email addresses): full-width signs, dashes and typographic apostrophes as a keyboard has them. */
export function plainSigns(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u02bc\u2018\u2019\u2032]/g, "'")
}

let segmenter: Intl.Segmenter | undefined

/** Of a letter with more accents than that, some are left out. */
const longestCharacter = 64

/**
 * At most `max` UTF-16 units, as HTML's `maxlength` counts, and never a part of a character: half an emoji fails in `encodeURIComponent` and
 * in the database.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const around = Math.max(0, max - 2 * longestCharacter)
  const near = text.slice(around, max + 2 * longestCharacter)
  const end = around + segmenter.segment(near).containing(max - around)!.index
  return text.slice(0, end > max - longestCharacter ? end : max).replace(/[\ud800-\udbff]$/, '')
}
