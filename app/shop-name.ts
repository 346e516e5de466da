/** Who the shop is until its settings say otherwise: the name stands nowhere else in `app/`. */
export const defaultWords = { name: 'Cadenza', tagline: 'handcrafted instruments and cases' }

/*
 * As the settings say (`app/store/settings`). These bindings are live: whoever imports them reads the values of today. An isolate serves one
 * shop, and a browser one page of it.
 */
export let shopName = defaultWords.name
/** What stands after the name, on the home page and below emails. */
export let tagline = defaultWords.tagline

/** Of buttons and rules in emails, which know no stylesheet: in the light and in the dark scheme. */
export let emailColors = { main: '#7a2b1b', mainDark: '#e08a72', accent: '#a9772b', accentDark: '#d3a253' }
const defaultColors = emailColors

export function setEmailColors(colors: Partial<typeof emailColors>): void {
  emailColors = { ...defaultColors, ...colors }
}

/** For emails: of the settings, empty where they have none. */
export let shopContact = { sellerAddress: '', ordersPhone: '', deliveryTime: '' }
const noContact = shopContact

/** A script knows fewer of them than the Worker. */
export function setShopContact(contact: Partial<typeof shopContact>): void {
  shopContact = { ...noContact, ...contact }
}

export function setShopName(words: { name: string; tagline: string }): void {
  shopName = words.name
  tagline = words.tagline
}
