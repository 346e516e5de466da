import { expect, test } from 'vitest'
import type { Deps } from '../deps'
import { decrypt, encrypt } from './encryption.server'

const key = (letter: string) => ({ encryptionKey: letter.repeat(43) }) as Deps

test('decrypts only with the same key and for the same owner, and notices a change', async () => {
  const plain = Uint8Array.from(Buffer.from('a secret'))
  const text = await encrypt(key('A'), plain, 'ada')
  expect((await decrypt(key('A'), text, 'ada'))?.toString()).toBe('a secret')
  expect(await decrypt(key('Q'), text, 'ada')).toBeNull()
  expect(await decrypt(key('A'), text, 'bea')).toBeNull()
  expect(await decrypt(key('A'), (text.startsWith('A') ? 'B' : 'A') + text.slice(1), 'ada')).toBeNull()
  expect(await encrypt(key('A'), plain, 'ada')).not.toBe(text)
})
