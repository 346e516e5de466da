import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Picture } from './camera'

/** Writes `index.html`: every picture, by page and state. Width and scheme are chosen without a script. */
export function writeAlbum(folder: string, pictures: Picture[]): void {
  const widths = [...new Set(pictures.map(({ width }) => width))]
  const schemes = [...new Set(pictures.map(({ scheme }) => scheme))]
  const pages = by(pictures, ({ page }) => page)
  const hiding = (kind: string, values: (string | number)[]) =>
    values.map((value) => `body:has(#${kind}-${value}:checked) figure:not(.${kind}-${value})`)
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gallery</title>
<style>
  body { margin: 0 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; background: #888; }
  header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: 0 -1rem; padding: .5rem 1rem; background: #fff; }
  fieldset { display: flex; gap: 1rem; margin: 0; padding: 0; border: 0; }
  nav { display: flex; flex-wrap: wrap; gap: 0 1rem; width: 100%; }
  h2, h3 { margin: 1.5rem 0 .5rem; scroll-margin-top: 8rem; }
  section > div { display: flex; flex-wrap: wrap; align-items: start; gap: 1rem; }
  figure { margin: 0; }
  img { display: block; max-height: 48rem; object-fit: cover; object-position: top; background: #fff; }
  ${[...hiding('width', widths), ...hiding('scheme', schemes)].join(',\n  ')} { display: none; }
</style>
<header>
  ${choice('width', widths)}
  ${choice('scheme', schemes)}
  <nav>${[...pages.keys()].map((page) => `<a href="#${idOf(page)}">${page}</a>`).join(' ')}</nav>
</header>
${[...pages].map(([page, all]) => `<section>\n<h2 id="${idOf(page)}">${page}</h2>\n${states(all)}\n</section>`).join('\n')}
</html>
`
  writeFileSync(join(folder, 'index.html'), html)
}

function choice(kind: string, values: (string | number)[]): string {
  const radio = (value: string | number, checked: boolean) =>
    `<label><input type="radio" name="${kind}" id="${kind}-${value}"${checked ? ' checked' : ''}> ${value}</label>`
  return `<fieldset>${[radio('any', true), ...values.map((value) => radio(value, false))].join(' ')}</fieldset>`
}

function states(pictures: Picture[]): string {
  return [...by(pictures, ({ state }) => state)]
    .map(([state, all]) => `<h3>${state}</h3>\n<div>\n${all.map(figure).join('\n')}\n</div>`)
    .join('\n')
}

/** A third of its size: wide pages beside narrow ones keep their proportion. */
function figure({ file, width, scheme }: Picture): string {
  return `<figure class="width-${width} scheme-${scheme}"><a href="${file}"><img src="${file}" width="${width / 3}" loading="lazy" alt="${file}"></a><figcaption>${width} ${scheme}</figcaption></figure>`
}

function idOf(page: string): string {
  return page.replaceAll(' ', '-')
}

/** `Map.groupBy`, which Node 20 does not have. */
function by(pictures: Picture[], keyOf: (picture: Picture) => string): Map<string, Picture[]> {
  const groups = new Map<string, Picture[]>()
  for (const picture of pictures) groups.set(keyOf(picture), [...(groups.get(keyOf(picture)) ?? []), picture])
  return groups
}
