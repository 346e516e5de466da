import { expect, test } from './support/store'
import { instrumentJson, InstrumentShape } from '../app/api/endpoints/schemas.server'
import { productsCsv, productsHead, readProducts } from '../app/http/csv/product-csv.server'
import { instrumentValues } from '../app/ui/catalog/instrument-fields'
import { editedKeys, fieldOf, publicKeys, type EditedKey } from '../app/store/catalog/fields'
import { rules } from '../app/store/catalog/field-rules.server'
import { importInstruments } from '../app/store/catalog/import-instruments.server'
import { findInstrument, findManagedInstrument } from '../app/store/catalog/instruments.server'
import { addInstrument, NewInstrument } from '../app/store/catalog/manage-instruments.server'

/** Of each field two values, and how the audit log says that the one has become the other. */
const samples: Record<EditedKey, [one: string | number, other: string | number, note: string]> = {
  name: ['Viol', 'Oud', 'name "Viol" → "Oud"'],
  img: ['/a.svg', '/b.svg', 'picture'],
  description: ['Spruce,\nmaple', 'Plum', 'description'],
  minQuantity: [1, 2, 'minimum quantity 1 → 2'],
  family: ['strings', 'brass', 'family strings → brass'],
  brand: ['Amati', 'Stainer', 'brand "Amati" → "Stainer"'],
  level: ['beginner', 'professional', 'level beginner → professional'],
  ages: ['9 to 11', '12+', 'for ages 9 to 11 → 12+'],
  lowStock: [5, 6, ''],
}
const product = { ...{ name: 'Viol', img: '/a.svg', price: 10 }, ...{ minQuantity: 1, availableQuantity: 3 } }
const isPublic = (key: EditedKey) => publicKeys.some((each) => each === key)

test.for(editedKeys)(
  '%s comes back from JSON, form and file as it was given, and a file changes it',
  async (key, { shop }) => {
    const [one, other, note] = samples[key]
    const admin = await shop.admin()
    const { id } = await addInstrument(shop.deps, admin.id, NewInstrument.parse({ ...product, [key]: one }))
    const stored = (await findManagedInstrument(shop.deps, id))!
    expect([stored[key], instrumentValues(stored)[key]]).toEqual([one, String(one)])
    const instrument = (await findInstrument(shop.deps, id))!
    expect(InstrumentShape.parse(instrumentJson(instrument))).toMatchObject(isPublic(key) ? { [key]: one } : {})
    expect(Object.keys(instrumentJson(instrument)).includes(key)).toBe(isPublic(key))

    const [line] = readProducts(productsHead.slice(1) + productsCsv([instrument]))
    expect(await importInstruments(shop.deps, admin, [line!])).toMatchObject({ unchanged: 1, problems: [] })
    const cells = { ...line!.cells, [key]: String(other) }
    const { changes } = await importInstruments(shop.deps, admin, [{ line: 2, cells }])
    if (isPublic(key)) expect(changes.map(({ what }) => what)).toEqual([note])
    expect(await findManagedInstrument(shop.deps, id)).toMatchObject({ [key]: isPublic(key) ? other : one })
  },
)

test.for(editedKeys)('%s is required, or empty without a value', (key) => {
  const { label, isRequired } = fieldOf(key)
  const rest = Object.fromEntries(Object.entries(product).filter(([name]) => name !== key))
  const { data, error } = NewInstrument.safeParse(rest)
  expect(error?.issues[0]?.message ?? data?.[key] ?? null).toBe(
    isRequired ? `${key === 'img' ? 'Image' : label} is Required` : null,
  )
  expect(rules[key].safeParse(undefined).success).toBe(!isRequired)
})
