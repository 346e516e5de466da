import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Attribute } from '../../db/schema'
import { attributesText, maxAttributes, readAttributes } from './attributes'
import {
  attributeRows,
  attributesCell,
  attributesField,
  describeAttributes,
  readAttributeRows,
} from './attributes.server'

const many = (count: number) => Array.from({ length: count }, (_, nth) => [`N${nth}`, 'x'] as Attribute)
const tooMany = `There can be at most ${maxAttributes} lines in a specification`

const issuesOf = ({ error }: { error?: z.ZodError | undefined }) =>
  (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)

test('reads the specification of the JSON in its order, and says what is wrong with each name', () => {
  expect(attributesField.parse({ ' Body ': ' Maple ', Length: '60 cm' })).toEqual([
    ['Body', 'Maple'],
    ['Length', '60 cm'],
  ])
  expect(attributesField.parse(undefined)).toBeUndefined()
  for (const [object, issues] of [
    [Object.fromEntries(many(maxAttributes)), []],
    [Object.fromEntries(many(maxAttributes + 1)), [`N${maxAttributes}: ${tooMany}`]],
    [{ Body: 'Maple', BODY: 'Spruce' }, ['BODY: BODY is there twice']],
    [{ '': 'Maple' }, [': Enter a name']],
    [{ Body: '' }, ['Body: Enter a value']],
    [{ Body: 5 }, ['Body: A value must be text']],
    [{ ['a'.repeat(41)]: 'x' }, [`${'a'.repeat(40)}: Name must be at most 40 characters`]],
    [{ Body: 'a'.repeat(201) }, ['Body: Value must be at most 200 characters']],
  ] as const)
    expect(issuesOf(attributesField.safeParse(object))).toEqual(issues)
})

test('reads the specification of a CSV file', () => {
  expect(attributesCell.parse('Body: Maple; Length: 60 cm')).toEqual([
    ['Body', 'Maple'],
    ['Length', '60 cm'],
  ])
  expect(attributesCell.parse('')).toEqual([])
  expect(issuesOf(attributesCell.safeParse('Maple'))).toEqual([
    ': Write the specification like Body: Maple; Length: 60 cm',
  ])
  expect(issuesOf(attributesCell.safeParse('Body: Maple; body: Spruce'))).toEqual(['body: body is there twice'])
})

test('reads the rows of the form, of which each may be empty, with errors beside the fields', () => {
  const form = z.object(attributeRows).transform(readAttributeRows)
  const rowsOf = (pairs: (readonly [string, string])[]) =>
    Object.fromEntries(
      pairs.flatMap(([name, value], nth) => [
        [`attributeName${nth + 1}`, name],
        [`attributeValue${nth + 1}`, value],
      ]),
    )
  expect(
    form.parse(
      rowsOf([
        ['Body', 'Maple'],
        ['', ''],
        ['Key', 'G'],
      ]),
    ).attributes,
  ).toEqual([
    ['Body', 'Maple'],
    ['Key', 'G'],
  ])
  expect(form.parse({}).attributes).toEqual([])
  for (const [rows, issues] of [
    [[['Body', '']], ['attributeValue1: Enter a value, or remove the name']],
    [
      [
        ['', ''],
        ['', 'Maple'],
      ],
      ['attributeName2: Enter a name, or remove the value'],
    ],
    [
      [
        ['Body', 'a'],
        ['', ''],
        ['body', 'b'],
      ],
      ['attributeName3: body is there twice'],
    ],
    [many(maxAttributes), []],
    [many(maxAttributes + 1), [`attributeName${maxAttributes + 1}: ${tooMany}`]],
  ] as [(readonly [string, string])[], string[]][])
    expect(issuesOf(form.safeParse(rowsOf(rows)))).toEqual(issues)
})

test('writes a specification as one line, and reads it, with line breaks too', () => {
  const odd: Attribute[] = [
    ['Body; back: top', 'Maple; \\ spruce: both'],
    ['Length', '60 cm'],
  ]
  const line = 'Body\\; back\\: top: Maple\\; \\\\ spruce: both; Length: 60 cm'
  expect([attributesText(odd), readAttributes(line)]).toEqual([line, odd])
  expect(readAttributes(' ; Body : Maple \n\n Length:60 cm;')).toEqual([
    ['Body', 'Maple'],
    ['Length', '60 cm'],
  ])
  for (const text of ['Body: Maple; Length', 'Body\\: Maple']) expect(readAttributes(text)).toBeNull()
})

test('describes what changed in a specification', () => {
  const long = 'x'.repeat(61)
  for (const [before, after, text] of [
    [
      [['Body', 'Maple']],
      [
        ['Body', 'Spruce'],
        ['Key', 'G'],
      ],
      'Body Maple → Spruce, + Key: G',
    ],
    [
      [
        ['Body', 'Maple'],
        ['Key', 'G'],
      ],
      [['Key', 'G']],
      '− Body',
    ],
    [
      [
        ['Body', 'Maple'],
        ['Key', 'G'],
      ],
      [
        ['Key', 'G'],
        ['Body', 'Maple'],
      ],
      'order',
    ],
    [[], [['Body', long]], `+ Body: ${'x'.repeat(59)}…`],
    [[], [['Body', long.slice(1)]], `+ Body: ${long.slice(1)}`],
  ] as [Attribute[], Attribute[], string][])
    expect(describeAttributes(before, after)).toBe(text)
})
