import { formatCents } from '../store/shared/money'

export function Price({ cents }: { cents: number }) {
  return <span className="price">{formatCents(cents)}</span>
}
