import type { Picture } from '../../app/db/schema'

/** By the id of the instrument: what is to be seen after its first drawing. */
export const furtherPictures: Record<string, Picture[]> = {
  'violin-4-4': [
    {
      img: '/plates/violin-4-4-back.svg',
      alt: 'The back of the violin: two pieces of maple, their flames like arrows',
    },
  ],
  'viola-16': [{ img: '/plates/viola-16-back.svg', alt: 'The back of the viola: one piece of flamed maple, dark red' }],
  bassoon: [
    {
      img: '/plates/bassoon-detail.svg',
      alt: 'Silver-plated keys and touches on posts along the boot joint, above its metal cap',
    },
  ],
  'tuba-bbb': [
    {
      img: '/plates/tuba-bbb-detail.svg',
      alt: 'The bell seen from above its rim, with a lyre between laurel leaves engraved on its side',
    },
  ],
  'double-bass-3-4': [
    {
      img: '/plates/double-bass-3-4-detail.svg',
      alt: 'The scroll from the side; below it a brass plate with two worm gears and their keys',
    },
  ],
  'cello-4-4': [{ img: '/plates/cello-4-4-detail.svg', alt: 'Four strings over a cut bridge, between two f-holes' }],
  'horn-fbb': [
    {
      img: '/plates/french-horn-double-detail.svg',
      alt: 'A round valve among its tubes; a string leads from its hub to both ends of a metal arm',
    },
  ],
  'harp-lever-34': [
    {
      img: '/plates/harp-lever-34-detail.svg',
      alt: 'Strings hang from pins in the neck; each has a lever, and two of the levers are up',
    },
  ],
}
