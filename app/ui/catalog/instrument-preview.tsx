import { centsFromText } from '../../store/money'
import { InstrumentCard } from './instrument-card'

/** The card as the shop will show it, while the shopkeeper types. */
export function InstrumentPreview({ typed }: { typed: Record<string, string> }) {
  const cents = centsFromText(typed.price ?? '')
  return (
    <aside className="preview" aria-label="Preview">
      <p className="kicker">As it will stand in the shop</p>
      <InstrumentCard
        isPreview
        instrument={{
          id: 'preview',
          name: typed.name || 'Name',
          family: null,
          img: isAddress(typed.img) ? typed.img : '/art/avatar.svg',
          description: typed.description ?? '',
          priceCents: cents !== null && cents > 0 ? cents : 0,
          minQuantity: piecesOf(typed.minQuantity),
          availableQuantity: piecesOf(typed.availableQuantity),
        }}
      />
    </aside>
  )
}

function isAddress(img: string | undefined): img is string {
  return /^(https:\/\/[^\s.]+\.\S+|\/[^/\\\s]\S*\.\w+)$/.test(img ?? '')
}

function piecesOf(text: string | undefined): number {
  const pieces = Number(text)
  return Number.isInteger(pieces) && pieces > 0 ? pieces : 0
}
