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
