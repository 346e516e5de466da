import { invalidDay, readDay, timeZone } from '../../store/shared/dates'
import { Button } from '../button'
import { Field } from '../field'
import { Fold } from '../fold'
import { ordersPath, type OrderQuery } from './order-filters'

/** Above the list of orders: an order number leads to its order. */
export function OrderSearch({ query: { q, status, from, to } }: { query: OrderQuery }) {
  const dayField = (value: string) => ({
    initialValue: value,
    title: `Days of ${timeZone}`,
    errors: value === '' || readDay(value) !== undefined ? null : [invalidDay],
  })
  return (
    <search>
      <form className="desk-search" action={ordersPath}>
        {status && <input type="hidden" name="status" value={status} />}
        <Field label="Search" name="q" type="search" initialValue={q} placeholder="Number, name" />
        <Fold title="Days" isOpen={Boolean(from || to)}>
          <div>
            <Field label="From" name="from" type="date" {...dayField(from)} />
            <Field label="To" name="to" type="date" {...dayField(to)} />
          </div>
        </Fold>
        <Button variant="quiet">Search</Button>
      </form>
    </search>
  )
}
