/** Some of the shop's drawings have a second one, of a part, at the same address with `-detail`. */
const details: Record<string, { alt: string; caption: string }> = {
  '/plates/bassoon.svg': {
    alt: 'Silver-plated keys and touches on posts along the boot joint, above its metal cap',
    caption: 'Keys of the boot joint',
  },
  '/plates/tuba-bbb.svg': {
    alt: 'The bell seen from above its rim, with a lyre between laurel leaves engraved on its side',
    caption: 'The bell',
  },
  '/plates/double-bass-3-4.svg': {
    alt: 'The scroll from the side; below it a brass plate with two worm gears and their keys',
    caption: 'Scroll and machine heads',
  },
  '/plates/cello-4-4.svg': {
    alt: 'Four strings over a cut bridge, between two f-holes',
    caption: 'Bridge and f-holes',
  },
  '/plates/french-horn-double.svg': {
    alt: 'A round valve among its tubes; a string leads from its hub to both ends of a metal arm',
    caption: 'Rotary valve with string linkage',
  },
  '/plates/harp-lever-34.svg': {
    alt: 'Strings hang from pins in the neck; each has a lever, and two of the levers are up',
    caption: 'Levers on the neck',
  },
}

export function DetailFigure({ img }: { img: string }) {
  const detail = details[img]
  if (!detail) return null
  return (
    <figure>
      <img
        className="product-image"
        src={img.replace('.svg', '-detail.svg')}
        alt={detail.alt}
        width={320}
        height={320}
        loading="lazy"
      />
      <figcaption>{detail.caption}</figcaption>
    </figure>
  )
}
