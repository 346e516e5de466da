import type { NewInstrument } from '../../app/store/catalog/manage-instruments.server'
import { furtherPictures } from './pictures'
import { players, specifications } from './specifications'

type DemoInstrument = NewInstrument & { id: string }

/** In the order of the instrument list. Prices in US cents. */
export const demoInstruments: DemoInstrument[] = [
  instrument('violin-4-4', 'strings', 'Concert Violin 4/4', 1_450_00, 2, 36, [
    'Two-piece flamed maple back and a fine-grained spruce top, air-dried for eight years, under amber oil varnish.',
    'Ebony fingerboard and pegs, 328 mm string length, set up with a 33 mm bridge. A clear A string and no wolf on the G.',
  ]),
  instrument('trumpet-bb', 'brass', 'Bb Trumpet', 890_00, 2, 48, [
    'Medium-large 11.7 mm bore, hand-hammered one-piece yellow brass bell of 123 mm, clear lacquer.',
    'Monel pistons, first-slide saddle and third-slide ring. Slots firmly up to high C and stays open when pushed.',
  ]),
  instrument('clarinet-bb', 'woodwind', 'Bb Clarinet, grenadilla', 1_180_00, 2, 40, [
    'Boehm system, 17 keys and 6 rings, unstained grenadilla seasoned for five years, undercut tone holes.',
    'Silver-plated keys on nickel-silver posts, 65 mm barrel. Even across the break and in tune at A = 442.',
  ]),
  instrument('cello-4-4', 'strings', 'Cello 4/4', 3_200_00, 1, 14, [
    'Solid maple back and ribs, Carpathian spruce top, 690 mm string length, hand-applied spirit varnish.',
    'Ebony fittings, carbon tailpiece with four adjusters, endpin with rubber tip. Warm C string, even through the thumb positions.',
  ]),
  instrument(
    'horn-fbb',
    'brass',
    'Double Horn in F and Bb',
    2_950_00,
    1,
    12,
    [
      'Full double with four rotary valves and string linkage, 12 mm bore, detachable medium-flare bell in rose brass.',
      'Geyer wrap. Quick slurs, a round low F, and a stopped horn that keeps its pitch.',
    ],
    'french-horn-double',
  ),
  instrument('flute-c', 'woodwind', 'Concert Flute in C', 760_00, 3, 54, [
    'Silver head joint and riser on a silver-plated body, open holes with plugs, offset G, split E, C foot.',
    'Pointed arms, double-skin pads, A = 442. Speaks softly in the third octave.',
  ]),
  instrument('viola-16', 'strings', 'Viola, 16 inch', 1_720_00, 1, 18, [
    '406 mm body with broad lower bouts, one-piece maple back, dark red-brown varnish.',
    'String length 370 mm, ebony fittings, bridge cut for a C string that answers at once.',
  ]),
  instrument('double-bass-3-4', 'strings', 'Double Bass 3/4', 5_400_00, 1, 6, [
    'Carved spruce top, flamed maple flat back with a bend at the shoulders, 1,060 mm string length.',
    'Engraved machine heads, ebony fingerboard, adjustable bridge. Made for the section and for a Tuesday club alike.',
  ]),
  instrument('classical-guitar', 'strings', 'Classical Guitar', 640_00, 3, 60, [
    'Solid cedar top on rosewood back and sides, fan-braced with seven struts, 650 mm scale, 52 mm nut.',
    'Ebony fingerboard and bone saddle. A dark bass and a treble that carries to the last row.',
  ]),
  instrument('mandolin-a', 'strings', 'A-Style Mandolin', 520_00, 2, 30, [
    'Carved spruce top with an oval hole, maple back, 352 mm scale, radiused ebony fingerboard of 20 frets.',
    'Adjustable ebony bridge, 18:1 tuners. Sweet in tremolo, dry enough for a chop.',
  ]),
  {
    ...instrument('violin-3-4', 'strings', 'Student Violin 3/4 with bow', 310_00, 5, 90, [
      'Solid spruce and maple, honey varnish, real ebony where it wears. Strung, set up and playable out of the box.',
      'Comes with a horsehair bow. Teachers take them by the fives; so does the minimum order.',
    ]),
    priceBreaks: [
      { from: 20, priceCents: 295_00 },
      { from: 40, priceCents: 280_00 },
    ],
  },
  instrument('harp-lever-34', 'strings', 'Lever Harp, 34 strings', 2_650_00, 1, 8, [
    'Walnut pillar and neck on a maple soundbox with a spruce board, 34 strings from low C to high A.',
    'A lever on every string, tuned in E flat, concert spacing. 13 kg, with a tuning key in the base.',
  ]),
  instrument('flugelhorn-bb', 'brass', 'Flugelhorn in Bb', 1_120_00, 1, 20, [
    '10.5 mm bore, rose brass bell of 152 mm, three pistons and a trigger on the third slide.',
    'Dark and wide without going under in a big band. Takes a small-shank mouthpiece.',
  ]),
  instrument(
    'trombone-bbf',
    'brass',
    'Tenor Trombone with F attachment',
    1_380_00,
    1,
    22,
    [
      '13.9 mm large bore, 216 mm yellow brass bell, open-wrap F attachment with a rotor.',
      'Nickel-silver inner slides, chromed and hand-straightened. Falls to seventh position by its own weight.',
    ],
    'trombone-tenor',
  ),
  instrument('euphonium-4v', 'brass', 'Euphonium, four valves', 2_480_00, 1, 10, [
    'Four top-action pistons, 14.7 to 16.8 mm graduated bore, 304 mm bell, main-slide water key.',
    'A singing upper register and an honest low C. Large-shank receiver.',
  ]),
  instrument('tuba-bbb', 'brass', 'BBb Tuba, four rotary valves', 5_900_00, 1, 4, [
    '19.5 mm bore, 430 mm bell, four rotors with ball joints, nickel-silver outer slides.',
    'Weighs 9.8 kg, carries a brass band from below, and speaks on the first try down to the pedal Bb.',
  ]),
  instrument('oboe', 'woodwind', 'Oboe, conservatoire system', 2_300_00, 1, 12, [
    'Grenadilla body, full conservatoire system with low Bb, left F and third-octave key.',
    'Silver-plated keys with cork and bladder pads, hand-reamed bore. Stable from the first G to the high F.',
  ]),
  instrument('bassoon', 'woodwind', 'Bassoon, German system', 6_800_00, 1, 5, [
    'Mountain maple, red-brown varnish, lined wing and boot, 24 keys with high D and ring key.',
    'Two silver-plated bocals. A tenor register that does not need coaxing.',
  ]),
  instrument('alto-saxophone', 'woodwind', 'Alto Saxophone in Eb', 1_260_00, 2, 28, [
    'Ribbed construction, hand-hammered bell, high F sharp and front F, blue-steel springs, metal resonators.',
    'Clear gold lacquer over brass. Even from low Bb up, with a centre to the sound.',
  ]),
  instrument('recorder-alto', 'woodwind', 'Alto Recorder in F, pear wood', 145_00, 6, 120, [
    'Pear wood, baroque fingering with double holes, curved windway, A = 442, three joints with turned rings.',
    'Waxed through, so it can be played in daily. Comes with a cleaning rod and a fingering chart.',
  ]),
  instrument('violin-case', 'cases', 'Violin Case, oblong', 165_00, 4, 80, [
    'Laminated shell under dark cloth, plush suspension lining, two bow holders, hygrometer and string tube.',
    'Backpack straps and a music pocket. 2.9 kg; fits a 4/4 with a shoulder rest.',
  ]),
  instrument('cello-case', 'cases', 'Cello Case, hard shell', 590_00, 1, 16, [
    'Fibreglass shell with suspension blocks, adjustable neck cradle, two bow tubes, wheels and three handles.',
    '4.6 kg. Locks, with a second key taped inside the manual where nobody looks.',
  ]),
  instrument('trumpet-case', 'cases', 'Trumpet Case', 95_00, 4, 100, [
    'Wooden frame in leather-grained cover, brass corners, green plush bed, room for two mouthpieces and mutes.',
    'Fits standard Bb and C trumpets. Opens flat and stays open.',
  ]),
  instrument('saxophone-case', 'cases', 'Alto Saxophone Case', 140_00, 3, 64, [
    'Contoured case with a bell recess, neck and mouthpiece pouches, brass latches and padded handle.',
    'Fits instruments with high F sharp and without. Takes the corners of a school bus.',
  ]),
]

function instrument(
  id: string,
  family: DemoInstrument['family'],
  name: string,
  price: number,
  minQuantity: number,
  availableQuantity: number,
  description: string[],
  drawing = id,
): DemoInstrument {
  const further = furtherPictures[id]
  return {
    id,
    family,
    name,
    price,
    minQuantity,
    availableQuantity,
    description: description.join(' '),
    img: `/plates/${drawing}.svg`,
    attributes: specifications[id] ?? [],
    ...players[id],
    ...(further && { pictures: further }),
  }
}
