/** As people type and as programs store it: the same signs for the same letters, sizes, hyphens and quotes, and none that nobody sees. */
export function normal(text: string): string {
  return text
    .replace(/[\u2018-\u201b\u2032`´]/g, "'")
    .replace(/[\u201c-\u201f\u2033]/g, '"')
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/g, ' ')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll('\u2044', '/')
}

/** The one folding of all searches, and of the order by name: `normal`, in small letters, those of Latin script without accents. */
export function fold(text: string): string {
  return normal(text)
    .toLowerCase()
    .replace(/\p{ASCII}\p{M}+|(?!\p{ASCII})\p{Script=Latin}\p{M}*/gu, (letter) =>
      letter.normalize('NFD').replace(/\p{M}/gu, ''),
    )
    .replace(/[ßæœøłđı]/g, (letter) => inPlainLetters[letter]!)
}
/** Orders names as people do. For lists of a page or two: others are in an order that an index has. */
export function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('en')
  return collator.compare(one, other)
}

let collator: Intl.Collator | undefined

export const inPlainLetters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }
