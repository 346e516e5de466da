import { expect, test } from 'vitest'
import type { Pictures } from '../deps'
import { maxLogoBytes } from '../shared/limits'
import { storeLogo } from './logo.server'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"><path d="M0 0h24v12z"/></svg>'
const fileOf = (content: string | Uint8Array<ArrayBuffer>) => new File([content], 'logo', { type: 'image/svg+xml' })

function storage(store: (key: string, file: Blob) => Promise<void> = () => Promise.resolve()) {
  const stored = new Map<string, Blob>()
  const pictures = {
    store: (key: string, file: Blob) => (stored.set(key, file), store(key, file)),
  } as unknown as Pictures
  return { pictures, stored }
}

test('stores a drawing as it was written anew, under a name that only its content decides', async () => {
  const { pictures, stored } = storage()
  const address = await storeLogo({ pictures }, fileOf(` \n${drawing}`))
  expect(address).toMatch(/^\/pictures\/[0-9a-f]{32}-1000x500\/logo\.svg$/)
  expect(await storeLogo({ pictures }, fileOf(drawing))).toBe(address)
  const [[key, file], ...others] = [...stored] as [[string, Blob]]
  expect([`/pictures/${key}`, others]).toEqual([address, []])
  expect(await file.text()).toMatch(/^<svg [^>]*viewBox="0 0 24 12"[^>]*><path d="M0 0h24v12z"><\/path><\/svg>$/)
})

test('says what is wrong with a drawing before anything is stored', async () => {
  const { pictures, stored } = storage()
  const refused = (message: unknown) => ({ code: 'invalid', message: '', fields: { picture: [message] } })
  const size = (bytes: number) => fileOf(drawing + ' '.repeat(bytes - drawing.length))
  await expect(storeLogo({ pictures: null }, fileOf(drawing))).rejects.toMatchObject(
    refused('Files cannot be uploaded here. Enter an address instead.'),
  )
  await expect(storeLogo({ pictures }, size(maxLogoBytes + 1))).rejects.toMatchObject(
    refused(`An SVG may have at most ${maxLogoBytes / 1024} KB. Save it as PNG.`),
  )
  const latin1 = new Uint8Array(Buffer.from(drawing.replace('<path', '<title>é</title><path'), 'latin1'))
  await expect(storeLogo({ pictures }, fileOf(latin1))).rejects.toMatchObject(
    refused('The SVG is not in UTF-8. Save it again as plain SVG, or as PNG.'),
  )
  await expect(storeLogo({ pictures }, fileOf('<svg'))).rejects.toMatchObject(refused(expect.any(String)))
  expect(stored.size).toBe(0)
  await storeLogo({ pictures }, size(maxLogoBytes))
  const away = storage(() => Promise.reject(new Error('R2 is away')))
  await expect(storeLogo(away, fileOf(drawing))).rejects.toMatchObject({
    ...{ code: 'unavailable', message: 'The picture could not be stored. Try again.', cause: new Error('R2 is away') },
  })
})
