import type { AppLoadContext } from '@remix-run/cloudflare'
import { catalogPath, firstWords } from '../../store/catalog/catalog'
import { familyName, shownFamilies } from '../../store/catalog/families'
import { pictureFile, readPictureAddress, sidesOf } from '../../store/catalog/pictures/pictures'
import { currentSale, describeShortage, type Instrument } from '../../store/catalog/instruments'
import { formatTime } from '../../store/shared/dates'
import { formatCents } from '../../store/shared/money'
import { element } from './xml.server'
import { shopName } from '../../shop-name'

/** In bytes: the words leave room for pictures, and both together for the frame around them. */
const [mostBytes, mostWords] = [80_000, 60_000]

/** Pictures of uploads: each is a question to the bucket. */
const mostUploads = 20

export const catalogFileStyles = `:root{color-scheme:light dark;--p:#fbf7f0;--i:#1e1814;--f:#5f5349;--l:#d8cab4;--v:#7a2b1b;--b:#a9772b}
body{margin:0 auto;padding:1rem;max-width:72rem;background:var(--p);color:var(--i);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}
h1,h2,h3{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif;font-weight:400;line-height:1.2;margin:0}
h1{font-size:2.25rem}h2{margin-top:2rem;border-bottom:2px solid var(--b)}h3{font-size:1.125rem}
p{margin:.25rem 0;max-width:68ch}a{color:var(--v)}a:focus-visible{outline:2px solid var(--b)}
ul{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));column-gap:2rem}
li{display:flex;gap:1rem;padding:1rem 0;border-bottom:1px solid var(--l);break-inside:avoid}li div{min-width:0}
svg{flex:none;width:6rem;height:6rem;stroke-linejoin:round;stroke-linecap:round}.d{display:none}
.h,.f{color:var(--f);font-size:.875rem}.h,.f,b{font-variant-numeric:tabular-nums}.notice{padding:.75rem 1rem;border:1px solid var(--l)}
@media screen and (prefers-color-scheme:dark){:root{--p:#181310;--i:#f4ecdf;--f:#bcae9d;--l:#43382f;--v:#dd8f55;--b:#c9974a}
${darkInks()}}
@media print{body{padding:0;max-width:none;font-size:10pt}ul{grid-template-columns:1fr 1fr}a{color:inherit;text-decoration:none}h2{break-after:avoid}}`

/** As in the drawings themselves, whose colours are shortened (dev/small-plates.ts). */
function darkInks(): string {
  const inks = 'DA4 A37A33 ED8 C49A4C A72 7C551D DDC 78736B EEE A29C92 A52 96471F C84 AD7238 EC8 BD985F EED 251D17'
  const pairs = inks.matchAll(/(\w{3}) (\w{6})/g)
  const rules = [...pairs].map(
    ([, light, dark]) => `[fill="#${light}"]{fill:#${dark}}[stroke="#${light}"]{stroke:#${dark}}`,
  )
  return ['[stroke="#111"]{stroke:#E9DCC6}', ...rules].join('')
}

interface Catalog {
  /** Those that may fit, in the order of the shop. */
  instruments: Instrument[]
  hasMore: boolean
}

/** One HTML file of at most 80,000 bytes that asks for nothing: its links lead to the shop. */
export async function catalogFile(context: AppLoadContext, { instruments, hasMore }: Catalog): Promise<string> {
  const { origin } = context
  const shown: { instrument: Instrument; words: string }[] = []
  let bytes = catalogFileStyles.length + 2_000
  for (const instrument of instruments) {
    const words = wordsOf(instrument, origin)
    if (bytes + sizeOf(words) > mostWords) break
    bytes += sizeOf(words)
    shown.push({ instrument, words })
  }
  const images = new Set(shown.map(({ instrument }) => instrument.img))
  const ids = new Map<string, string>()
  let symbols = ''
  for (const [address, drawing] of await drawingsOf(context, [...images])) {
    const id = `p${ids.size}`
    const symbol = element('symbol', [drawing], { id, viewBox: '0 0 320 320' })
    if (bytes + symbols.length + symbol.length > mostBytes) continue
    symbols += symbol
    ids.set(address, id)
  }
  const sections = [...shownFamilies(), null].map((family) => {
    const items = shown
      .filter(({ instrument }) => familyName(instrument.family) === (family?.name ?? ''))
      .map(({ instrument, words }) => element('li', [useOf(ids.get(instrument.img)), words]))
    const title = family?.name ?? 'More'
    return items.length > 0 ? element('h2', title) + element('ul', items) : ''
  })
  const rest =
    hasMore || shown.length < instruments.length
      ? element('p', [
          `These are ${shown.length} instruments. The shop has more: this file stays small. `,
          linkTo(`${origin}/allInstruments`, 'All instruments'),
        ])
      : ''
  const noPicture =
    images.size > ids.size
      ? element('p', 'Some pictures are only in the shop, so that this file stays small.', { class: 'h' })
      : ''
  const name = 'Catalog'
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>',
    element('title', `${name} · ${shopName}`),
    '<link rel="icon" href="data:,"/>',
    element('style', [catalogFileStyles]),
    '</head><body>',
    symbols && element('svg', [symbols], { class: 'd' }),
    '<main id="main">',
    element('h1', `${shopName}: catalog`),
    element('p', [
      `Prices and stock as of ${formatTime(context.now())}. Shipping is included. To order, go to `,
      linkTo(origin, origin.replace(/^https?:\/\//, '')),
      '.',
    ]),
    element('p', 'Save this file to read it offline, or print it.', { class: 'h' }),
    rest,
    ...sections,
    noPicture,
    '</main></body></html>',
  ].join('')
}

function wordsOf(instrument: Instrument, origin: string): string {
  const { name, brand, description, priceCents, priceBreaks, minQuantity, availableQuantity } = instrument
  const prior = currentSale(instrument)?.priorCents
  const prices = [
    `${formatCents(priceCents)} each`,
    ...(prior ? [`30-day low before the sale ${formatCents(prior)}`] : []),
    ...priceBreaks.map(({ from, priceCents }) => `${formatCents(priceCents)} from ${from}`),
  ]
  const stock = describeShortage(instrument) ?? `${availableQuantity} in stock`
  const minimum = minQuantity > 1 ? `, minimum order ${minQuantity} pieces` : ''
  return element('div', [
    element('h3', [linkTo(origin + catalogPath(instrument), name)]),
    element('p', [element('b', prices.join(', '))]),
    element('p', `${stock}${minimum}${brand ? `. By ${brand}` : ''}`, { class: 'f' }),
    description ? element('p', firstWords(description, 120), { class: 'h' }) : '',
  ])
}

const linkTo = (href: string, text: string) => element('a', text, { href })

function useOf(id: string | undefined): string {
  return id === undefined ? '' : `<svg aria-hidden="true"><use href="#${id}"/></svg>`
}

/** By their addresses: the shop's drawings, then the uploads. One that cannot be read is left out. */
async function drawingsOf(context: AppLoadContext, addresses: string[]): Promise<[string, string][]> {
  const uploads = addresses.filter((address) => readPictureAddress(address)).slice(0, mostUploads)
  const plates = await context.smallPlates()
  const photos = await Promise.all(uploads.map((address) => photoOf(context, address).catch(() => undefined)))
  const all = [
    ...addresses.map((address) => [address, plates[address]] as const),
    ...uploads.map((address, index) => [address, photos[index]] as const),
  ]
  return all.flatMap(([address, drawing]) => (drawing ? [[address, drawing]] : []))
}

/** Its smallest file. */
async function photoOf({ pictures }: AppLoadContext, address: string): Promise<string | undefined> {
  const picture = readPictureAddress(address)!
  const file = pictureFile(picture, sidesOf(picture)[0]!, 'webp')
  const body = await pictures?.find(file.replace('/pictures/', ''))
  if (!body) return undefined
  const data = Buffer.from(await new Response(body).arrayBuffer()).toString('base64')
  return `<image href="data:image/webp;base64,${data}" width="320" height="320"/>`
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length
}
