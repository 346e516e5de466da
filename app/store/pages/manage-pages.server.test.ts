import { desc } from 'drizzle-orm'
import { expect, test, type Store } from '../../../tests/support/store'
import { auditLog } from '../../db/schema'
import {
  addPage,
  changePage,
  deletePage,
  findPage,
  findPublicPage,
  listPages,
  PageCommand,
} from './manage-pages.server'
import { maxPages } from './pages'

const page = { title: 'About us', slug: 'about', body: 'We play.', footer: '' as const, submissionId: 'form-1' }
const at = ({ deps }: Store, now: number) => ({ ...deps, now: () => now })

async function newestNote(shop: Store): Promise<string> {
  const [row] = await shop.deps.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  return `${row!.event}, ${row!.note}`
}

const addressRule = 'An address has small letters, digits and hyphens, like terms-of-use'

test.for<[object, string | null]>([
  [{}, null],
  [{ slug: ' terms-2 ' }, null],
  [{ slug: 'Terms' }, addressRule],
  [{ slug: '-terms' }, addressRule],
  [{ slug: 'terms-' }, addressRule],
  [{ slug: 'a'.repeat(81) }, 'Address must be at most 80 characters'],
  [{ slug: '' }, 'Address is Required'],
  [{ slug: undefined }, 'Address is Required'],
  [{ title: '' }, 'Title is Required'],
  [{ body: '' }, 'Text is Required'],
  [{ footer: 'Elsewhere' }, 'Choose a place of the list'],
  [{ intent: 'burn' }, 'Choose what to do'],
])('a page of %j: %s', ([more, message]) => {
  const { error } = PageCommand.safeParse({ ...page, submissionId: undefined, intent: 'save', ...more })
  expect(error?.issues[0]?.message ?? null).toBe(message)
})

test('adds a page as a draft or published, once for a form, and as many as a shop may have', async ({ shop }) => {
  const admin = await shop.admin()
  shop.invalidated.length = 0
  const { id } = await addPage(at(shop, 5), admin, { ...page, intent: 'save' })
  expect(await addPage(at(shop, 6), admin, { ...page, title: 'Again', intent: 'save' })).toEqual({ id })
  expect([await newestNote(shop), shop.invalidated]).toEqual(['page saved, About us /pages/about', []])
  const draft = { id, slug: 'about', title: 'About us', footer: '', version: 1, changedAt: 5, publishedAt: null }
  expect(await listPages(shop.deps)).toEqual([{ ...draft, changedBy: 'The Shopkeeper', hasDraft: false }])
  expect(await findPublicPage(shop.deps, 'about')).toBeNull()

  const terms = { ...page, title: 'Terms', slug: 'terms', footer: 'Terms of use' as const, submissionId: 'form-2' }
  await addPage(at(shop, 7), admin, { ...terms, intent: 'publish' })
  expect([await newestNote(shop), shop.invalidated]).toEqual(['page published, Terms /pages/terms', ['pages']])
  expect(await findPublicPage(shop.deps, 'terms')).toEqual({
    slug: 'terms',
    title: 'Terms',
    body: 'We play.',
    publishedAt: 7,
  })
  for (const [more, fields] of [
    [{ slug: 'about' }, { slug: ['The page About us has or had this address'] }],
    [{ slug: 'new', footer: 'Terms of use' as const }, { footer: ['The page Terms stands there'] }],
  ] as const)
    await expect(
      addPage(shop.deps, admin, { ...page, submissionId: 'form-3', ...more, intent: 'save' }),
    ).rejects.toMatchObject({ code: 'conflict', message: '', fields })
  for (let nth = 2; nth < maxPages; nth++)
    await addPage(shop.deps, admin, { ...page, slug: `p${nth}`, submissionId: `p${nth}`, intent: 'save' })
  const more = { ...page, slug: 'more', submissionId: 'more', intent: 'save' as const }
  await expect(addPage(shop.deps, admin, more)).rejects.toMatchObject({
    message: `A shop may have at most ${maxPages} pages.`,
  })
})

test('publishes, changes and takes back a page, which keeps its addresses', async ({ shop }) => {
  const admin = await shop.admin()
  const { id } = await addPage(at(shop, 1), admin, { ...page, intent: 'save' })
  shop.invalidated.length = 0
  await changePage(at(shop, 2), admin, id, { ...page, version: 1, intent: 'publish' })
  const { id: other } = await addPage(at(shop, 1), admin, { ...page, slug: 'b', submissionId: 'b', intent: 'publish' })
  for (const [more, hasDraft] of [
    [{}, false],
    [{ title: 'Who we are' }, true],
    [{ body: 'We play much.' }, true],
  ] as const) {
    const { version } = (await findPage(shop.deps, other))!
    await changePage(shop.deps, admin, other, { ...page, slug: 'b', ...more, version, intent: 'save' })
    expect([more, (await findPage(shop.deps, other))!.hasDraft]).toEqual([more, hasDraft])
  }
  shop.invalidated.splice(1)
  await changePage(at(shop, 3), admin, id, { ...page, body: 'We sing.', slug: 'us', version: 2, intent: 'save' })
  expect([await newestNote(shop), shop.invalidated]).toEqual(['page saved, About us /pages/us', ['pages', 'pages']])
  for (const slug of ['about', 'us'])
    expect(await findPublicPage(shop.deps, slug)).toMatchObject({ slug: 'us', body: 'We play.', publishedAt: 2 })
  const found = await findPage(shop.deps, id)
  expect(found).toMatchObject({ version: 3, hasDraft: true, publishedAt: 2, body: 'We sing.' })
  await expect(deletePage(shop.deps, admin, id)).rejects.toMatchObject({
    message: 'Withdraw this page before you delete it.',
  })
  await changePage(at(shop, 4), admin, id, { ...page, version: 3, intent: 'withdraw' })
  expect([await newestNote(shop), await findPublicPage(shop.deps, 'us')]).toEqual([
    'page withdrawn, About us /pages/about',
    null,
  ])
})

test('refuses a change of a page that somebody else has changed or deleted, or whose address is taken', async ({
  shop,
}) => {
  const admin = await shop.admin()
  const { id } = await addPage(at(shop, 1), admin, { ...page, intent: 'save' })
  await addPage(at(shop, 1), admin, { ...page, title: 'Terms', slug: 'terms', submissionId: 'form-2', intent: 'save' })
  const change = (more: object) => changePage(at(shop, 2), admin, id, { ...page, version: 1, intent: 'save', ...more })
  await expect(change({ slug: 'terms' })).rejects.toMatchObject({
    fields: { slug: ['The page Terms has or had this address'] },
  })
  await change({ slug: 'us' })
  const theirs =
    /^The Shopkeeper changed this page on 1 Jan 1970, 00:00 UTC, .* Open the page in another tab to see theirs\./
  await expect(change({ slug: 'us' })).rejects.toMatchObject({
    ...{ code: 'conflict', message: '', fields: { version: [expect.stringMatching(theirs)] } },
  })
  await deletePage(at(shop, 3), admin, id)
  expect(await newestNote(shop)).toBe('page deleted, About us /pages/us')
  await expect(change({ version: 2 })).rejects.toMatchObject({ code: 'not-found', message: 'This page was deleted.' })
  await addPage(shop.deps, admin, { ...page, submissionId: 'form-4', intent: 'save' })
  expect((await listPages(shop.deps)).map(({ slug }) => slug)).toEqual(['about', 'terms'])
})
