import { readFileSync } from 'node:fs'
import { format, type Oxfmtrc } from 'oxfmt'

const options = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8')) as Oxfmtrc

/** As `npx oxfmt` would write it into a file of this name. */
export async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, options)
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(' ')}`)
  return code
}
