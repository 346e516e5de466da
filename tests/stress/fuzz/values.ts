import fc from 'fast-check'

export interface Value {
  name: string
  json: string | undefined
}

const asText = (name: string, text: string): Value => ({ name, json: JSON.stringify(text) })
const asIs = (json: string): Value => ({ name: json, json })

export const values: Value[] = [
  { name: 'left out', json: undefined },
  ...['null', '[]', '{}', 'true', 'false', '""', '[[]]', '["x"]', '[null]', '{"x":{}}'].map(asIs),
  ...['0', '-0', '-1', '1', '2', '1.0', '1e0', '1e2', '0.1', '0.005', '1.005', '8.2', '4.35', '999999.99'].map(asIs),
  ...['1e308', '1e309', '-1e309', '1e-320', '9007199254740992', '9007199254740993'].map(asIs),
  ...['9223372036854775808', '18446744073709551616', '1000000', '1000001', '2147483648'].map(asIs),
  ...['NaN', 'Infinity', '0x10', '01', '+1', "'x'", 'undefined', '"\\x"', '"\n"'].map(asIs),
  ...['NaN', 'Infinity', '1e3', '0x10', ' 1', '1', '-1', '１２３', '٣', '1_000', '1,5', '$1', 'true', 'null'].map(
    (text) => asText(`text ${text}`, text),
  ),
  { name: 'a lone surrogate', json: '"\\ud800"' },
  { name: 'a lone low surrogate in a word', json: '"a\\udfffb 12345678901"' },
  { name: 'surrogates the wrong way round', json: '"\\udc00\\ud800"' },
  asText('a NUL', '\0'),
  asText('a NUL in a word', 'a\0b'),
  asText('control characters', 'a\u0001\u001b[31m\u007fb'),
  asText('CR LF', 'a\r\nSet-Cookie: session=x\r\n\r\nb'),
  asText('line ends', '\r\na\rb\nc\r\n'),
  asText('separators', 'a\u2028b\u2029c\u0085d'),
  asText('right to left', '\u202egnirts\u202c \u2067x\u2069'),
  asText('white space', ' \t\u00a0\u3000\ufeff '),
  asText('a byte order mark', '\ufeffx'),
  asText('no characters', '\ufffe\uffff\ufdd0'),
  asText('beyond the first plane', '𝒱𝒾ℴ𝓁𝒾𝓃 👩‍👩‍👧‍👦 𐀀'),
  asText('composed and decomposed', 'é e\u0301 ﬁ İ ß'),
  asText('a flood of accents', `Z${'\u0300'.repeat(900)}`),
  asText('a long word', 'x'.repeat(60_000)),
  asText('a longer word than a body', 'x'.repeat(1_000_000)),
  asText('long white space', ' '.repeat(60_000)),
  asText('an address that takes long to match', `${'a'.repeat(50_000)}@`),
  asText('119 characters', 'x'.repeat(119)),
  asText('121 characters of two units', '🎻'.repeat(61)),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length'].map((text) =>
    asText(text, text),
  ),
  asIs('{"__proto__":{"polluted":true}}'),
  asIs('{"constructor":{"prototype":{"polluted":true}}}'),
  asIs('{"toString":null,"valueOf":null,"toJSON":null}'),
  asIs('{"length":1e9}'),
  { name: 'deep arrays', json: '['.repeat(30_000) + ']'.repeat(30_000) },
  { name: 'deep objects', json: '{"a":'.repeat(9_000) + '1' + '}'.repeat(9_000) },
  { name: 'arrays without end', json: '['.repeat(50_000) },
  { name: 'many names', json: `{${Array.from({ length: 6_000 }, (_, index) => `"${index}":0`).join()}}` },
  { name: 'many things', json: `[${'0,'.repeat(30_000)}0]` },
  ...["' OR 1=1 --", "'; DROP TABLE orders; --", '") OR ("1"="1', '%', '_', '\\', "x'00'"].map((text) =>
    asText(text, text),
  ),
  ...['<script>alert(1)</script>', '</textarea><img src=x onerror=alert(1)>', '&lt;b&gt; &amp; &#0;'].map((text) =>
    asText(text, text),
  ),
  ...['{{7*7}}', '${7*7}', '<%= 7*7 %>', '#{7*7}', '%s%n%x', '$(id)', '`id`', '| id'].map((text) => asText(text, text)),
  ...[
    '../../etc/passwd',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//elsewhere.example',
    '/\\elsewhere.example',
  ].map((text) => asText(text, text)),
  ...['https://example.com/a.png', 'https://[::1', 'data:text/html,x', 'a@b.co', 'A@B.CO', '+44 (0)7700 900123'].map(
    (text) => asText(text, text),
  ),
]

/** URL-encoded, whether or not it can be decoded. */
export const words: string[] = [
  ...['', '%', '%%', '%E0%A4%A', '%c0%af', '%ff', '%00', 'a%00b', '%0d%0aSet-Cookie:%20session=x', '%ed%a0%80'],
  ...['%2e%2e', '..%2f..%2fuser', 'a%2Fb', '%252f', '%5c', ';x=1', 'x;y', 'x.data', '_root.data', 'x.css', '*', '%2a'],
  ...['null', 'undefined', 'true', '0', '-0', '-1', '1', '0.1', '1e3', '1e308', '0x10', '+1', '%201', '%D9%A3'],
  ...['9007199254740993', '9223372036854775808', 'NaN', 'Infinity', '%EF%BC%91', '999', '1000', '1000000'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '%5B%5D', '%7B%7D', '%22%22'],
  ...["'%20OR%201=1%20--", '%25', '_', '%5C%5C', "';%20DROP%20TABLE%20orders", '%3Cscript%3Ealert(1)%3C/script%3E'],
  ...['%7B%7B7*7%7D%7D', '$%7B7*7%7D', '%E2%80%AEgnirts', `Z${'%CC%80'.repeat(900)}`, '%F0%9F%8E%BB', '%EF%BF%BE'],
  ...['a@b.co', 'A@B.CO', 'a%40b.co', '%20a@b.co%20', 'x'.repeat(101), 'x'.repeat(15_000), '%25'.repeat(300)],
  ...['strings', 'Strings', 'drums', 'a%20b%20c%20d%20e%20f', '%20'.repeat(100), 'a+'.repeat(50)],
]

export const queries = (name: string): string[] => [
  `${name}=1&${name}=1`,
  `${name}[]=1`,
  `${name}[a]=1`,
  `${name}.a=1`,
  `%5F%5Fproto%5F%5F[${name}]=1`,
  '__proto__=1',
  'constructor=1',
  name,
  `${name}=`,
  `=${name}`,
  `&&&`,
  `${name.toUpperCase()}=1`,
  `_data=routes%2Fapi%2Forders`,
  `_routes=root`,
  `_method=DELETE`,
  `index`,
  Array.from({ length: 3_000 }, (_, index) => `k${index}=1`).join('&'),
  Array.from({ length: 100_000 }, (_, index) => index.toString(36)).join('&'),
]

export function brokenBodies(
  right: string,
): { name: string; body: string | Uint8Array; headers?: Record<string, string> }[] {
  const bytes = new TextEncoder().encode(right)
  const [inside] = [right.slice(1, -1)]
  return [
    { name: 'nothing', body: '' },
    ...['null', '[]', '{}', '"x"', '1', 'true', '{', '}', '[', '"', ',', '\0', '\ufeff'].map((body) => ({
      name: body,
      body,
    })),
    { name: 'cut', body: right.slice(0, -1) },
    { name: 'cut in a word', body: right.slice(0, Math.floor(right.length / 2)) },
    { name: 'twice', body: right + right },
    { name: 'in a list', body: `[${right}]` },
    { name: 'a byte order mark', body: `\ufeff${right}` },
    { name: 'UTF-16', body: new Uint8Array(Buffer.from(right, 'utf16le')) },
    { name: 'bad UTF-8', body: new Uint8Array([...bytes.slice(0, -2), 0xff, 0xc0, ...bytes.slice(-2)]) },
    {
      name: 'a surrogate in UTF-8',
      body: new Uint8Array([...bytes.slice(0, -2), 0xed, 0xa0, 0x80, ...bytes.slice(-2)]),
    },
    { name: 'one field more', body: `{${inside},"one more":1}` },
    { name: '__proto__', body: `{${inside},"__proto__":{"polluted":true}}` },
    { name: '__proto__, escaped', body: `{${inside},"\\u005f_proto__":{"polluted":true}}` },
    { name: 'constructor', body: `{${inside},"constructor":{"prototype":{"polluted":true}}}` },
    { name: 'role', body: `{${inside},"role":"admin","_id":"x","paid":true,"id":"x"}` },
    { name: 'the same twice', body: `{${inside},${inside}}` },
    { name: 'a comma too many', body: `{${inside},}` },
    { name: 'comments', body: `{/* */${inside}}// x` },
    { name: 'very long', body: `{${inside},"x":"${'x'.repeat(1_000_000)}"}` },
    { name: 'long white space', body: right + ' '.repeat(65_000) },
    { name: 'many names', body: `{${Array.from({ length: 7_000 }, (_, index) => `"${index}":0`).join()}}` },
    { name: '100,000 names', body: `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":0`).join()}}` },
    { name: '100,000 deep', body: '['.repeat(100_000) },
    { name: 'said to be packed', body: right, headers: { 'content-encoding': 'gzip' } },
  ]
}

export function byChance(seed: number, count: number): Value[] {
  const any = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 130 }),
    fc.double(),
    fc.integer(),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('a@example.com', '07700 900123', '/plates/oboe.svg', 'strings', true, 1, 10.5),
  )
  return fc.sample(any, { seed, numRuns: count }).map((value) => {
    const json = JSON.stringify(value)
    return { name: json.slice(0, 60), json }
  })
}
