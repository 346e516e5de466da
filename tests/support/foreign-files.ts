/*
 * Files of products as other shops export them, after their published lists of columns. 200 lines each without the head; the odd ones are
 * counted by what becomes of them.
 */

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function csv(columns: string[], rows: Record<string, string>[], lineEnd: string): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((row) => row.map(cell).join(',') + lineEnd)
    .join('')
}

const shopifyColumns = [
  ...['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Product Category', 'Type', 'Tags', 'Published'],
  ...['Option1 Name', 'Option1 Value', 'Option1 Linked To', 'Option2 Name', 'Option2 Value', 'Option2 Linked To'],
  ...[
    'Option3 Name',
    'Option3 Value',
    'Option3 Linked To',
    'Variant SKU',
    'Variant Grams',
    'Variant Inventory Tracker',
  ],
  ...['Variant Inventory Qty', 'Variant Inventory Policy', 'Variant Fulfillment Service', 'Variant Price'],
  ...['Variant Compare At Price', 'Variant Requires Shipping', 'Variant Taxable', 'Variant Barcode', 'Image Src'],
  ...['Image Position', 'Image Alt Text', 'Gift Card', 'SEO Title', 'SEO Description', 'Variant Image'],
  ...['Variant Weight Unit', 'Variant Tax Code', 'Cost per item', 'Status'],
]

interface File {
  text: string
  added: number
  joined: number
  left: number
}

/** Each product has three lines: two variants and a further picture. */
export function shopifyFile(): File {
  const rows: Record<string, string>[] = []
  const kinds = ['Violin', 'Trumpet', 'Clarinet', 'Cello Case']
  for (let nth = 0; rows.length < 180; nth++) {
    const handle = `instrument-${nth}`
    const common = { Handle: handle, 'Variant Inventory Tracker': 'shopify' }
    rows.push(
      {
        ...common,
        ...{ Title: `${kinds[nth % 4]} No. ${nth}`, Vendor: 'Bow & Reed', Type: kinds[nth % 4]!, Published: 'TRUE' },
        'Body (HTML)': `<p>Warm &amp; even,<br>made of <b>spruce</b>.</p>\n<ul><li>Set up</li><li>Tuned "well"</li></ul>`,
        ...{ 'Option1 Name': 'Size', 'Option1 Value': '4/4', 'Variant SKU': `SKU-${nth}-a`, 'Variant Price': '120.50' },
        ...{
          'Variant Inventory Qty': String(nth),
          'Image Src': `https://pictures.example/${nth}.jpg`,
          Status: 'active',
        },
        'Gift Card': 'FALSE',
      },
      {
        ...common,
        ...{
          'Option1 Value': '3/4',
          'Variant SKU': `SKU-${nth}-b`,
          'Variant Price': '99',
          'Variant Inventory Qty': '2',
        },
      },
      { Handle: handle, 'Image Src': `https://pictures.example/${nth}-back.jpg`, 'Image Position': '2' },
    )
  }
  const one = (title: string, more: Record<string, string> = {}) =>
    rows.push({
      ...{ Handle: title.toLowerCase().replaceAll(' ', '-'), Title: title, Published: 'true', Status: 'active' },
      ...{ 'Option1 Name': 'Title', 'Option1 Value': 'Default Title', 'Variant Price': '50.00' },
      ...{
        'Variant Inventory Qty': '3',
        'Variant Inventory Tracker': 'shopify',
        'Image Src': 'https://pictures.example/1.jpg',
      },
      ...more,
    })
  // Taken: 5.
  one('Oboe, "old"')
  one('Harp with negative stock', { 'Variant Inventory Qty': '-4' })
  one('Lute without count', { 'Variant Inventory Qty': '', 'Variant Inventory Tracker': '' })
  one('Flute with a script', {
    'Body (HTML)': '<script>alert(1)</script><p onclick="x">Silver &lt;925&gt; &#233; &unknown;</p><!-- no -->',
  })
  one('Tuba with a novel', { 'Body (HTML)': `<p>${'Deep and round. '.repeat(400)}</p>` })
  // Taken without a picture: 6.
  one('No picture', { 'Image Src': '' })
  one('Gone picture', { 'Image Src': 'https://gone.example/1.jpg' })
  one('Inward picture', { 'Image Src': 'https://inward.example/1.jpg' })
  one('Metadata picture', { 'Image Src': 'http://169.254.169.254/latest/meta-data/' })
  one('Program picture', { 'Image Src': 'javascript:alert(1)' })
  one('Page picture', { 'Image Src': 'https://page.example/1.jpg' })
  // Left out: 9.
  one('Gift', { 'Gift Card': 'true' })
  one('Draft', { Status: 'draft' })
  one('Archive', { Status: 'archived' })
  one('Hidden', { Published: 'false' })
  one('Free', { 'Variant Price': '0.00' })
  one('No price', { 'Variant Price': '' })
  one('Strange price', { 'Variant Price': 'on request' })
  one('x'.repeat(121))
  rows.push({ Handle: 'lost', 'Variant Price': '10', 'Option1 Value': 'Blue' })
  return { text: csv(shopifyColumns, rows, '\n'), added: 131, joined: 60, left: 9 }
}

const woocommerceColumns = [
  ...['ID', 'Type', 'SKU', 'GTIN, UPC, EAN, or ISBN', 'Name', 'Published', 'Is featured?', 'Visibility in catalog'],
  ...['Short description', 'Description', 'Date sale price starts', 'Date sale price ends', 'Tax status', 'Tax class'],
  ...[
    'In stock?',
    'Stock',
    'Low stock amount',
    'Backorders allowed?',
    'Sold individually?',
    'Weight (kg)',
    'Length (cm)',
  ],
  ...[
    'Width (cm)',
    'Height (cm)',
    'Allow customer reviews?',
    'Purchase note',
    'Sale price',
    'Regular price',
    'Categories',
  ],
  ...[
    'Tags',
    'Shipping class',
    'Images',
    'Download limit',
    'Download expiry days',
    'Parent',
    'Grouped products',
    'Upsells',
  ],
  ...['Cross-sells', 'External URL', 'Button text', 'Position', 'Brands', 'Attribute 1 name', 'Attribute 1 value(s)'],
  ...['Attribute 1 visible', 'Attribute 1 global', 'Attribute 2 name', 'Attribute 2 value(s)', 'Attribute 2 visible'],
  'Attribute 2 global',
]

/** A variable product has a line of its own and two variations. */
export function woocommerceFile(): File {
  const rows: Record<string, string>[] = []
  for (let nth = 0; rows.length < 120; nth++) {
    const [id, sku] = [String(1000 + nth * 3), `WC-${nth}`]
    rows.push({
      ...{ ID: id, Type: 'variable', SKU: sku, Name: `Saxophone No. ${nth}`, Published: '1', Brands: 'Reed' },
      ...{ Description: 'Played by many.\\n\\n<strong>Lacquered</strong> brass.', Categories: 'Woodwind > Saxophones' },
      Images: `https://pictures.example/s${nth}.jpg, https://pictures.example/s${nth}-2.jpg`,
      ...{ 'Attribute 1 name': 'Finish', 'Attribute 1 value(s)': 'Gold, Silver' },
      ...{ 'Attribute 2 name': 'Key', 'Attribute 2 value(s)': 'Eb' },
    })
    for (const finish of ['Gold', 'Silver']) {
      rows.push({
        ...{
          ID: `${id}${finish.length}`,
          Type: 'variation',
          SKU: `${sku}-${finish}`,
          Name: `Saxophone No. ${nth} - ${finish}`,
        },
        ...{ Published: '1', 'Regular price': '1499.00', Stock: '4', Parent: nth % 2 ? `id:${id}` : sku },
        ...{ 'Attribute 1 name': 'Finish', 'Attribute 1 value(s)': finish },
      })
    }
  }
  const one = (name: string, more: Record<string, string> = {}) =>
    rows.push({
      ...{ ID: String(5000 + rows.length), Type: 'simple', SKU: `S-${rows.length}`, Name: name, Published: '1' },
      ...{ 'Regular price': '75.5', Stock: '6', Images: 'https://pictures.example/2.jpg', Categories: 'Strings' },
      ...more,
    })
  for (let nth = 0; nth < 61; nth++) one(`Mandolin ${nth}`, { 'Short description': '<p>Eight strings &hellip;</p>' })
  // Taken: 4.
  one('Banjo with a sale', { 'Sale price': '60' })
  one('Guitar with a comma', { 'Regular price': '75,50' })
  one('Viola without stock', { Stock: '' })
  one('Fiddle, "quoted"\nover two lines'.replace('\n', ' '))
  // Taken without a picture: 4.
  one('Huge picture', { Images: 'https://huge.example/1.png' })
  one('Vector picture', { Images: 'https://vector.example/1.svg' })
  one('Round picture', { Images: 'https://round.example/1.png' })
  one('Private picture', { Images: 'https://private.example/1.png' })
  // Left out: 11.
  one('Course', { Type: 'simple, virtual' })
  one('Score', { Type: 'simple, downloadable, virtual' })
  one('Set', { Type: 'grouped' })
  one('Elsewhere', { Type: 'external' })
  one('Draft', { Published: '-1' })
  one('Private', { Published: '0' })
  one('Orphan', { Type: 'variation', Parent: 'id:9' })
  one('Empty', { Type: 'variable' })
  one('Subscription', { Type: 'subscription' })
  one('No price', { 'Regular price': '' })
  one('No name', { Name: '' })
  return { text: `\uFEFF${csv(woocommerceColumns, rows, '\r\n')}`, added: 149, joined: 40, left: 11 }
}
