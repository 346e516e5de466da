import { centsFromText } from '../../store/money'
import { InstrumentCard } from './instrument-card'

export function InstrumentPreview({ values }: { values: Record<string, string> }) {
  const cents = centsFromText(values.price ?? '')
  return (
    <aside className="preview" aria-label="Preview">
      <p className="kicker">As it will stand in the shop</p>
      <InstrumentCard
        isPreview
        instrument={{
          id: 'preview',
          name: values.name || 'Name',
          family: null,
          img: isImageUrl(values.img) ? values.img : '/art/avatar.svg',
          description: values.description ?? '',
          priceCents: cents !== null && cents > 0 ? cents : 0,
          minQuantity: quantityFrom(values.minQuantity),
          availableQuantity: quantityFrom(values.availableQuantity),
        }}
      />
    </aside>
  )
}

function isImageUrl(img: string | undefined): img is string {
  return /^(https:\/\/[^\s.]+\.\S+|\/[^/\\\s]\S*\.\w+)$/.test(img ?? '')
}

function quantityFrom(text: string | undefined): number {
  const quantity = Number(text)
  return Number.isInteger(quantity) && quantity > 0 ? quantity : 0
}
