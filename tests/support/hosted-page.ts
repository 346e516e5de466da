import { parse, type HTMLElement } from 'node-html-parser'

/** Pays at the sandbox's hosted page as a browser without JavaScript does; answers where it leads. */
export async function payAt(
  url: string,
  card = '4242 4242 4242 4242',
): Promise<{ status: number; location: string | null; text: string }> {
  const page = parse(await (await fetch(url)).text())
  const form = page.querySelector('form')
  if (!form) throw new Error(`There is nothing to pay here: ${page.structuredText}`)
  const fields = new URLSearchParams({
    [nameOf(form, 'Card number')]: card,
    [nameOf(form, 'Expiry (MM / YY)')]: '12 / 40',
    [nameOf(form, 'CVC')]: '123',
    [nameOf(form, 'Name on card')]: 'A Customer',
  })
  const answer = await fetch(new URL(form.getAttribute('action') ?? url, url), {
    method: 'POST',
    body: fields,
    redirect: 'manual',
    headers: { origin: new URL(url).origin },
  })
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    text: parse(await answer.text()).structuredText,
  }
}

function nameOf(form: HTMLElement, label: string): string {
  const found = form.querySelectorAll('label').find((each) => each.textContent.trim().startsWith(label))
  const id = found?.getAttribute('for')
  const input = id ? form.querySelector(`#${id}`) : found?.querySelector('input')
  const name = input?.getAttribute('name')
  if (!name) throw new Error(`No field "${label}" on the hosted page`)
  return name
}
