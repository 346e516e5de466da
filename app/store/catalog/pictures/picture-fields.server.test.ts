import { expect, test } from 'vitest'
import type { z } from 'zod'
import { maxPictures } from '../../shared/limits'
import { arrangePictures, checkPictures, picturesCell, picturesField, requirePictures } from './picture-fields.server'

const many = (count: number) => Array.from({ length: count }, (_, nth) => ({ img: `/p/${nth}.svg`, alt: '' }))
const tooMany = `There can be at most ${maxPictures} pictures`
const messageOf = ({ error }: { error?: z.ZodError | undefined }) => error?.issues[0]?.message

test('reads the pictures of the JSON: an address, or one with words', () => {
  expect(picturesField.parse(['/a.svg', { img: '/b.svg' }, { img: '/c.svg', alt: ' The back ' }])).toEqual([
    { img: '/a.svg', alt: '' },
    { img: '/b.svg', alt: '' },
    { img: '/c.svg', alt: 'The back' },
  ])
  expect(picturesField.parse(many(maxPictures))).toHaveLength(maxPictures)
  expect(messageOf(picturesField.safeParse(many(maxPictures + 1)))).toBe(tooMany)
  expect(messageOf(picturesField.safeParse([{ img: 5 }]))).toBe('A picture is an address, or has img and alt')
  const issuesOf = (img: string, pictures?: { img: string; alt: string }[]) => {
    const issues: unknown[] = []
    checkPictures({ img, pictures }, { addIssue: (issue) => void issues.push(issue) })
    return issues
  }
  expect([issuesOf('/p/0.svg', many(maxPictures)), issuesOf('/x.svg')]).toEqual([[], []])
  expect(issuesOf('/x.svg', many(maxPictures))).toEqual([{ code: 'custom', path: ['pictures'], message: tooMany }])
})

test('reads the pictures of a CSV file', () => {
  expect(picturesCell.parse('/a.svg The back; /b.svg')).toEqual([
    { img: '/a.svg', alt: 'The back' },
    { img: '/b.svg', alt: '' },
  ])
  expect(messageOf(picturesCell.safeParse('nowhere'))).toEqual(expect.any(String))
})

test('arranges the pictures of the form: one that was moved goes before the one that is there', () => {
  const form = { img: '/1.svg', pictureAddress2: '/2.svg', pictureAddress3: '/3.svg', pictureAlt2: 'The back' }
  const [one, two, three] = [
    { img: '/1.svg', alt: '' },
    { img: '/2.svg', alt: 'The back' },
    { img: '/3.svg', alt: '' },
  ]
  expect(arrangePictures(form)).toEqual([one, two, three])
  expect(arrangePictures({ ...form, picturePlace3: 1 })).toEqual([three, one, two])
  expect(arrangePictures({ ...form, picturePlace1: 3 })).toEqual([two, one, three])
  expect(arrangePictures({ ...form, pictureDelete1: 'on', picturePlace2: 2 })).toEqual([two, three])
  expect(arrangePictures({})).toEqual([])
})

test('wants one picture at least, and no more than there may be', () => {
  requirePictures(1, 0)
  requirePictures(1, 1)
  requirePictures(maxPictures - 1, 1)
  for (const [count, files, fields] of [
    [0, 0, { img: ['Leave at least one picture'] }],
    [maxPictures - 1, 2, { pictures: [`${tooMany}: choose 1 at most`] }],
    [maxPictures, 1, { pictures: [`${tooMany}: delete one first`] }],
  ] as const)
    expect(() => requirePictures(count, files)).toThrow(expect.objectContaining({ code: 'invalid', fields }))
})
