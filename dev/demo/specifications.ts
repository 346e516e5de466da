import type { NewInstrument } from '../../app/store/catalog/manage-instruments.server'
import type { Attribute } from '../../app/db/schema'

/** By the id of the instrument: what its kind has, and what its description says. */
export const specifications: Record<string, Attribute[]> = {
  'violin-4-4': lines(
    'Size: 4/4 | Body length: 356 mm | String length: 328 mm | Top: Spruce, fine-grained | Back: Maple, two-piece, flamed',
    'Fingerboard and pegs: Ebony | Varnish: Amber oil | Tuning: G3, D4, A4, E5',
  ),
  'trumpet-bb': lines(
    'Key: Bb | Bore: 11.7 mm, medium-large | Bell: 123 mm, one-piece yellow brass | Valves: 3 pistons, Monel',
    'Slides: First-slide saddle, third-slide ring | Finish: Clear lacquer',
  ),
  'clarinet-bb': lines(
    'Key: Bb | System: Boehm, 17 keys, 6 rings | Body: Grenadilla, unstained | Barrel: 65 mm | Keys: Nickel silver, silver-plated',
    'Reed: Single | Pitch: A = 442 Hz',
  ),
  'cello-4-4': lines(
    'Size: 4/4 | String length: 690 mm | Top: Carpathian spruce | Back and ribs: Maple | Fittings: Ebony',
    'Tailpiece: Carbon, four adjusters | Varnish: Spirit | Tuning: C2, G2, D3, A3',
  ),
  'horn-fbb': lines(
    'Key: F and Bb, full double | Valves: 4 rotary, string linkage | Bore: 12 mm | Bell: Rose brass, medium flare, detachable',
    'Wrap: Geyer',
  ),
  'flute-c': lines(
    'Key: C | Head joint: Silver | Body: Silver-plated | Keys: Open holes with plugs, offset G, split E | Foot joint: C',
    'Pitch: A = 442 Hz | Lowest note: C4',
  ),
  'viola-16': lines(
    'Body length: 406 mm (16 in) | String length: 370 mm | Top: Spruce | Back: Maple, one-piece | Fittings: Ebony',
    'Varnish: Dark red-brown | Tuning: C3, G3, D4, A4',
  ),
  'double-bass-3-4': lines(
    'Size: 3/4 | String length: 1,060 mm | Top: Spruce, carved | Back: Flamed maple, flat | Fingerboard: Ebony',
    'Tuners: Engraved machine heads | Bridge: Adjustable | Tuning: E1, A1, D2, G2',
  ),
  'classical-guitar': lines(
    'Scale: 650 mm | Nut width: 52 mm | Top: Solid cedar | Back and sides: Rosewood | Bracing: Fan, seven struts',
    'Fingerboard: Ebony | Saddle: Bone | Strings: 6, nylon | Tuning: E2, A2, D3, G3, B3, E4',
  ),
  'mandolin-a': lines(
    'Scale: 352 mm | Top: Spruce, carved, oval hole | Back: Maple | Fingerboard: Ebony, radiused, 20 frets',
    'Strings: 8 in four pairs | Tuners: 18:1 | Tuning: G3, D4, A4, E5',
  ),
  'violin-3-4': lines(
    'Size: 3/4 | Body length: 335 mm | Top: Solid spruce | Back: Solid maple | Fingerboard: Ebony | Varnish: Honey',
    'Bow: Horsehair, included | Tuning: G3, D4, A4, E5',
  ),
  'harp-lever-34': lines(
    'Strings: 34, C to A | Levers: On every string | Tuning: E flat major | Pillar and neck: Walnut | Soundbox: Maple',
    'Soundboard: Spruce | Weight: 13 kg | Included: Tuning key',
  ),
  'flugelhorn-bb': lines(
    'Key: Bb | Bore: 10.5 mm | Bell: 152 mm, rose brass | Valves: 3 pistons | Third slide: Trigger | Mouthpiece: Small shank',
  ),
  'trombone-bbf': lines(
    'Key: Bb and F | Bore: 13.9 mm, large | Bell: 216 mm, yellow brass | F attachment: Open wrap, rotor',
    'Inner slides: Nickel silver, chromed | Mouthpiece: Large shank',
  ),
  'euphonium-4v': lines(
    'Key: Bb | Valves: 4 pistons, top action | Bore: 14.7 to 16.8 mm | Bell: 304 mm | Mouthpiece: Large shank',
  ),
  'tuba-bbb': lines(
    'Key: BBb | Valves: 4 rotary, ball joints | Bore: 19.5 mm | Bell: 430 mm | Outer slides: Nickel silver | Weight: 9.8 kg',
  ),
  oboe: lines(
    'Key: C | System: Full conservatoire | Body: Grenadilla | Keys: Silver-plated, left F, third-octave key | Lowest note: Bb3',
    'Pads: Cork and bladder | Reed: Double',
  ),
  bassoon: lines(
    'System: German, 24 keys | Body: Mountain maple, wing and boot lined | Extra keys: High D, ring key | Lowest note: Bb1',
    'Bocals: 2, silver-plated | Reed: Double',
  ),
  'alto-saxophone': lines(
    'Key: Eb | Range: Low Bb to high F sharp | Body: Ribbed, gold lacquer | Bell: Hand-hammered | Springs: Blue steel',
    'Resonators: Metal | Reed: Single',
  ),
  'recorder-alto': lines(
    'Key: F | Body: Pear wood, waxed | Fingering: Baroque, double holes | Windway: Curved | Joints: 3 | Pitch: A = 442 Hz',
    'Included: Cleaning rod, fingering chart',
  ),
  'violin-case': lines(
    'Fits: Violin 4/4 with a shoulder rest | Shell: Laminated | Lining: Plush, suspended | Bow holders: 2',
    'Carried by: Backpack straps | Weight: 2.9 kg',
  ),
  'cello-case': lines(
    'Fits: Cello 4/4 | Shell: Fibreglass | Bow tubes: 2 | Carried by: Wheels, three handles | Lock: Yes, two keys | Weight: 4.6 kg',
  ),
  'trumpet-case': lines(
    'Fits: Bb and C trumpets | Frame: Wood | Cover: Leather-grained, metal corners | Lining: Green plush | Mouthpieces: Room for two',
  ),
  'saxophone-case': lines(
    'Fits: Alto saxophone, with or without high F sharp | Shape: Contoured | Latches: Brass | Pouches: Neck, mouthpiece',
  ),
}

function lines(...texts: string[]): Attribute[] {
  return texts.flatMap((text) =>
    text.split(' | ').map((line): Attribute => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    }),
  )
}

/** For whom each is, and from when its size fits; a case is for everybody. */
export const players: Record<string, Pick<NewInstrument, 'level' | 'ages'>> = {
  'violin-4-4': { level: 'intermediate', ages: '12+' },
  'trumpet-bb': { level: 'intermediate', ages: '9+' },
  'clarinet-bb': { level: 'intermediate', ages: '11+' },
  'cello-4-4': { level: 'professional', ages: '13+' },
  'horn-fbb': { level: 'professional', ages: '13+' },
  'flute-c': { level: 'intermediate', ages: '11+' },
  'viola-16': { level: 'intermediate', ages: '14+' },
  'double-bass-3-4': { level: 'professional', ages: '14+' },
  'classical-guitar': { level: 'beginner', ages: '12+' },
  'mandolin-a': { level: 'beginner', ages: '10+' },
  'violin-3-4': { level: 'beginner', ages: '9 to 11' },
  'harp-lever-34': { level: 'intermediate', ages: '10+' },
  'flugelhorn-bb': { level: 'intermediate', ages: '13+' },
  'trombone-bbf': { level: 'professional', ages: '12+' },
  'euphonium-4v': { level: 'professional', ages: '13+' },
  'tuba-bbb': { level: 'professional', ages: '14+' },
  oboe: { level: 'professional', ages: '13+' },
  bassoon: { level: 'professional', ages: '14+' },
  'alto-saxophone': { level: 'intermediate', ages: '12+' },
  'recorder-alto': { level: 'beginner', ages: '10+' },
}
