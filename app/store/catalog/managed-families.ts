import { families } from './families'

/** What the shopkeeper reads: hidden ones too. */
export function managedFamilyName(slug: string | null): string {
  return families.find((each) => each.slug === slug)?.name ?? ''
}

/** For the form of a product and the search of products. */
export function familyOptions(none: string) {
  return [
    { value: '', text: none },
    ...families.map(({ slug, name, isHidden }) => ({ value: slug, text: isHidden ? `${name} (hidden)` : name })),
  ]
}
