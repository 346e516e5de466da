/*
 * What shoppers call things. Edit this file as you like: small letters, words parted by commas. Plurals need no entry, and accents do not
 * matter.
 */

/** Each line: names of the same thing. Who types one of them finds the others. */
export const synonyms = [
  // Strings
  'strings, string instrument, streichinstrument, streichinstrumente, saiteninstrument, saiteninstrumente',
  'violin, fiddle, geige, violine',
  'viola, tenor violin, bratsche',
  'cello, violoncello, celli',
  'double bass, contrabass, upright bass, string bass, bass fiddle, bass violin, kontrabass, kontrabässe, kontrabaesse',
  'guitar, gitarre',
  'classical guitar, acoustic guitar, spanish guitar, nylon guitar, nylon string guitar, concert guitar, konzertgitarre',
  'mandolin, mandoline',
  'harp, harfe',
  'lever harp, celtic harp, folk harp, irish harp, hakenharfe',
  'full size, 4/4',
  'three quarter, 3/4, dreiviertel',
  'half size, 1/2',
  'quarter size, 1/4',

  // Brass
  'brass, brass instrument, blechbläser, blechblaeser, blechblasinstrument, blechblasinstrumente',
  'trumpet, trompete',
  'horn, hörner, hoerner',
  'french horn, double horn, horn in f, f horn, waldhorn, waldhörner, waldhoerner, doppelhorn',
  'flugelhorn, flugel, fluegelhorn, flugel horn',
  'trombone, posaune',
  'tenor trombone, tenorposaune',
  'euphonium, baritone euphonium, tenor tuba',
  'tuba, bass tuba',

  // Woodwind
  'woodwind, woodwind instrument, holzbläser, holzblaeser, holzblasinstrument, holzblasinstrumente',
  'flute, transverse flute, querflöte, querfloete, flöte, floete',
  'piccolo, piccoloflöte, piccolofloete',
  'saxophone, sax, saxofon, saxophon',
  'alto saxophone, alto sax, altsaxophon, altsaxofon',
  'tenor saxophone, tenor sax, tenorsaxophon, tenorsaxofon',
  'bassoon, fagott, fagot, fagotto',
  'recorder, blockflute, blockflöte, blockfloete',
  'alto recorder, treble recorder, altblockflöte, altblockfloete',
  'soprano recorder, descant recorder, sopranblockflöte, sopranblockfloete',
  'english horn, cor anglais, englischhorn',
  'clarinet, clarinette, klarinette',

  // Cases
  'case, gig bag, gigbag, hard case, hardcase, bag, koffer, kasten, etui, tasche, hülle, huelle',

  // Keys and players
  'bb, b flat, bflat',
  'eb, e flat, eflat',
  'ab, a flat, aflat',
  'student, beginner, learner, starter, child, children, kid, junior, youth, schüler, schueler, anfänger, anfaenger, einsteiger, kinder',
  'intermediate, step up, fortgeschritten, fortgeschrittene',
  'professional, advanced, profi',
]

/**
 * What many shops do not sell beside their instruments. Each line: in the plural, as the page says it, in English and in German, and then
 * its other names. A shop that has something called so sells it: then the line only joins its names.
 */
export const accessories = [
  'strings, Saiten, string, saite',
  'reeds, Rohrblätter, reed, rohrblatt, rohrblaetter',
  'bows, Bögen, bow, bogen, boegen',
  'rosin, Kolophonium',
  'mutes, Dämpfer, mute, daempfer',
  'mouthpieces, Mundstücke, mouthpiece, mundstück, mundstueck, mundstuecke',
  'ligatures, Blattschrauben, ligature, blattschraube',
  'straps, Gurte, strap, neck strap, gurt, tragegurt',
  'shoulder rests, Schulterstützen, shoulder rest, schulterstütze, schulterstuetze',
  'chin rests, Kinnhalter, chin rest, chinrest, kinnhalter',
  'stands, Ständer, stand, music stand, staender, notenständer, notenstaender, notenpult',
  'tuners, Stimmgeräte, tuner, stimmgerät, stimmgeraet, clip on tuner',
  'metronomes, Metronome, metronome, metronom',
  'picks, Plektren, pick, plectrum, plectra, plektrum',
  'capos, Kapodaster, capo, kapodaster',
  'valve oil, Ventilöle, slide oil, key oil, ventilöl, ventiloel',
  'cork grease, Korkfette, korkfett, slide grease',
  'cleaning kits, Pflegesets, cleaning kit, cleaning cloth, swab, pull through, pflegeset',
  'sheet music, Noten, music book, songbook, method book, notenheft',
  'amplifiers, Verstärker, amplifier, amp, verstaerker',
  'drum sticks, Trommelstöcke, drumstick, drum stick, drumsticks',
]

/** Likewise. Who wants one is shown the cases, which are hard. */
export const softCases = 'gig bags, Gigbags, gig bag, gigbag, soft case, softcase, bag'

/**
 * Names of instruments, sold or not. A description that only mentions one ('a dark bass') is not shown while there is one by that name, and
 * none of them is taken for a mistyped word.
 */
export const instrumentNames =
  'accordion, bagpipe, balalaika, banjo, baritone, bass, bassoon, bell, bouzouki, bugle, case, celesta, cello, cimbalom, clarinet, concertina, ' +
  'cornet, cymbal, didgeridoo, drum, drumkit, dulcimer, euphonium, fiddle, fife, flugelhorn, flute, glockenspiel, gong, guitar, harmonica, ' +
  'harmonium, harp, harpsichord, horn, kazoo, keyboard, lute, lyre, mandolin, marimba, melodica, oboe, ocarina, organ, panpipe, percussion, ' +
  'piano, piccolo, recorder, saxhorn, saxophone, sitar, sousaphone, synthesizer, tambourine, theremin, timpani, triangle, trombone, trumpet, ' +
  'tuba, ukulele, vibraphone, viol, viola, violin, whistle, xylophone, zither'

/** They make another instrument of one: who looks for an electric guitar wants no list of classical ones. */
export const otherKinds = 'digital, electric, electronic'

/** The end of German words of two things: a Geigenkoffer is a case for a violin. */
export const ends = 'koffer, kasten, etui, tasche, hülle, huelle'

/** Not looked for beside other words. */
export const smallWords =
  'a, an, and, below, best, buy, cheap, daughter, das, der, die, ein, eine, for, für, good, instrument, me, mit, my, new, of, or, school, size, son, the, to, und, under, with'
