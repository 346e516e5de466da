import { demoInstruments } from '../../../../dev/demo/instruments'
import { expect, test, type Store } from '../../../../tests/support/store'
import { addInstrument } from '../manage-instruments.server'
import { searchInstruments } from './search-instruments.server'

/** What a shopper types; what is found first, as a part of its name (one of several, by |), or - for nothing; what is not found. */
type Query = readonly [q: string, first: string, absent?: string]

const known: Query[] = [
  ['trumpets', 'Bb Trumpet'],
  ['french horn', 'Double Horn in F and Bb'],
  ['fiddle', 'Concert Violin|Student Violin', 'Trumpet'],
  ['drum', '-', 'Trumpet'],
  ['harps', 'Lever Harp', 'Saxophone'],
  ['b flat clarinet', 'Bb Clarinet'],
  ['sax case', 'Alto Saxophone Case', 'Cello'],
  ['violoncello', 'Cello 4/4'],
  ['contrabass', 'Double Bass'],
  ['woodwinds', 'Bb Clarinet|Concert Flute|Oboe|Bassoon|Alto Saxophone|Alto Recorder', 'Trumpet'],
  ['3/4 violin', 'Student Violin 3/4'],
  ['trombome', 'Tenor Trombone'],
  ['cases', 'Violin Case|Cello Case|Trumpet Case|Alto Saxophone Case'],
  ['blockflute', 'Alto Recorder'],
  ['student', 'Student Violin'],
  ['grenadilla', 'Bb Clarinet|Oboe', 'Trumpet'],
  ['F horn', 'Double Horn in F and Bb'],
  ['bass', 'Double Bass', 'Guitar'],
  ['tubas', 'BBb Tuba'],
  ['piano', '-'],
]

/** Written before anybody saw what they find. */
const typed: Query[] = [
  ['violins', 'Concert Violin', 'Viola'],
  ['alto sax', 'Alto Saxophone in Eb', 'Recorder'],
  ['beginner violin', 'Student Violin'],
  ['violin for beginners', 'Student Violin'],
  ['double basses', 'Double Bass', 'Bassoon'],
  ['upright bass', 'Double Bass', 'Guitar'],
  ['string bass', 'Double Bass', 'Guitar'],
  ['lute', '-', 'Flute'],
  ['cornet', '-', 'Trumpet'],
  ['banjo', '-'],
  ['ukulele', '-'],
  ['gig bag', 'Violin Case|Cello Case|Trumpet Case|Alto Saxophone Case', 'Trombone'],
  ['cello gigbag', 'Cello Case', 'Violin'],
  ['guitars', 'Classical Guitar', 'Violin'],
  ['spanish guitar', 'Classical Guitar'],
  ['nylon string guitar', 'Classical Guitar'],
  ['clarinette', 'Bb Clarinet'],
  ['Bflat trumpet', 'Bb Trumpet', 'Clarinet'],
  ['b-flat trumpet', 'Bb Trumpet', 'Clarinet'],
  ['B♭ Trumpet', 'Bb Trumpet', 'Clarinet'],
  ['fluegelhorn', 'Flugelhorn in Bb'],
  ['flügelhorn', 'Flugelhorn in Bb'],
  ['waldhorn', 'Double Horn in F and Bb', 'Flugelhorn'],
  ['treble recorder', 'Alto Recorder'],
  ['blockflöte', 'Alto Recorder'],
  ['cor anglais', '-'],
  ['english horn', '-', 'Double Horn'],
  ['celli', 'Cello 4/4'],
  ['saxaphone', 'Alto Saxophone'],
  ['baritone euphonium', 'Euphonium'],
  ['full size violin', 'Concert Violin 4/4'],
  ['transverse flute', 'Concert Flute', 'Recorder'],
  ['flutes', 'Concert Flute', 'Recorder'],
  ['celtic harp', 'Lever Harp'],
  ['fagott', 'Bassoon'],
  ['wood', 'Alto Recorder'],
  ['brass instruments', 'Bb Trumpet|Double Horn|Flugelhorn|Tenor Trombone|Euphonium|BBb Tuba', 'Violin'],
  ['tenor trombone', 'Tenor Trombone', 'Bassoon'],
  ['trom', 'Tenor Trombone', 'Trumpet'],
  ['mandoline', 'A-Style Mandolin'],
]

/** A second list, written the same way. */
const typedLater: Query[] = [
  ['cheap trumpet', 'Bb Trumpet'],
  ['trumpet for my son', 'Bb Trumpet'],
  ['violn', 'Concert Violin|Student Violin'],
  ['voilin', 'Concert Violin|Student Violin'],
  ['viloncello', 'Cello 4/4'],
  ['clarnet', 'Bb Clarinet'],
  ['basson', 'Bassoon'],
  ['obo', 'Oboe'],
  ['euphonuim', 'Euphonium'],
  ['flugel', 'Flugelhorn'],
  ['flugel horn', 'Flugelhorn'],
  ['saxophones', 'Alto Saxophone in Eb'],
  ['eb sax', 'Alto Saxophone in Eb'],
  ['e flat alto saxophone', 'Alto Saxophone in Eb'],
  ['sousaphone', '-'],
  ['bass tuba', 'BBb Tuba'],
  ['slide trombone', 'Tenor Trombone'],
  ['posaune', 'Tenor Trombone'],
  ['trompete', 'Bb Trumpet'],
  ['geige', 'Concert Violin|Student Violin'],
  ['bratsche', 'Viola'],
  ['viola 16"', 'Viola'],
  ['16 inch viola', 'Viola'],
  ['violin 4/4', 'Concert Violin 4/4'],
  ['4/4', 'Concert Violin 4/4|Cello 4/4'],
  ['violin bow', 'Student Violin'],
  ['trumpet case', 'Trumpet Case'],
  ['case for cello', 'Cello Case'],
  ['violin cases', 'Violin Case'],
  ['hard case', 'Violin Case|Cello Case|Trumpet Case|Alto Saxophone Case'],
  ['brass', 'Bb Trumpet|Double Horn|Flugelhorn|Tenor Trombone|Euphonium|BBb Tuba', 'Violin'],
  ['STRINGS', 'Concert Violin|Cello|Viola|Double Bass|Lever Harp, 34 strings', 'Trumpet'],
  ['horn', 'Double Horn in F and Bb'],
  ['harp 34', 'Lever Harp'],
  ['recorder', 'Alto Recorder'],
  ['piccolo', '-'],
  ['drum sticks', '-'],
  ['electric guitar', '-'],
  ['acoustic guitar', 'Classical Guitar'],
  ['silver flute', 'Concert Flute'],
  ['cello strings', 'Cello 4/4'],
]

/** A third list, written the same way: what people say who do not know the trade. */
const everyday: Query[] = [
  ['violin for a child', 'Student Violin', 'Viola'],
  ['kids violin', 'Student Violin'],
  ['children', 'Student Violin'],
  ['1/2 violin', 'Concert Violin', 'Cello'],
  ['half size violin', 'Concert Violin'],
  ['violins under 500', 'Concert Violin'],
  ['beginner trumpet', 'Bb Trumpet', 'Violin'],
  ['flute for my daughter', 'Concert Flute'],
  ['trumpet for school', 'Bb Trumpet', 'Saxophone'],
  ['small violin', 'Concert Violin'],
  ['used cello', 'Cello 4/4'],
  ['left handed guitar', 'Classical Guitar'],
  ['violin with case', 'Violin Case'],
  ['saxophone for adults', 'Alto Saxophone in Eb'],
  ['cello for 10 year old', 'Cello 4/4'],
  ['good quality clarinet', 'Bb Clarinet'],
  ['cheapest harp', 'Lever Harp'],
  ['brass for kids', 'Bb Trumpet', 'Violin'],
  ['ukulele for beginners', '-'],
]

/** A fourth list, written the same way: levels, ages, and what belongs to an instrument. */
const players: Query[] = [
  ['beginner flute', 'Concert Flute', 'Violin'],
  ['flute beginner', 'Concert Flute', 'Recorder'],
  ['alto beginner', 'Alto Recorder', 'Case'],
  ['alto sax for beginners', 'Alto Saxophone in Eb', 'Recorder'],
  ['beginner guitar', 'Classical Guitar', 'Violin'],
  ['professional oboe', 'Oboe', 'Violin'],
  ['advanced trombone', 'Tenor Trombone', 'Recorder'],
  ['intermediate violin', 'Concert Violin', 'Student'],
  ['violin for a ten-year-old', 'Student Violin', 'Case'],
  ['violin for 10 year old', 'Student Violin', 'Case'],
  ['violin 10 years', 'Student Violin'],
  ['kids violin 9 years', 'Student Violin'],
  ['geige für 10 jährige', 'Student Violin'],
  ['violin for my 13 year old daughter', 'Concert Violin', 'Student'],
  ['recorder for a 10yo', 'Alto Recorder', 'Trumpet'],
  ['aged 11 violin', 'Student Violin'],
  ['strings for a cello', 'Cello 4/4', 'Violin'],
  ['clarinet reeds', 'Bb Clarinet', 'Oboe'],
  ['violin rosin', 'Concert Violin|Student Violin', 'Cello'],
  ['music stand', '-'],
  ['trumpet mute', 'Bb Trumpet', 'Tuba'],
  ['cello bow', 'Cello 4/4', 'Violin'],
  ['guitar strap', 'Classical Guitar', 'Violin'],
  ['cellosaiten', 'Cello 4/4', 'Violin'],
  ['alto saxophone', 'Alto Saxophone in Eb', 'Recorder'],
  ['case for alto sax', 'Alto Saxophone Case', 'Cello'],
  ['saxofone reed', 'Alto Saxophone in Eb', 'Violin'],
  ['trumpet gigbag', 'Trumpet Case', 'Violin'],
  ['beginer violin', 'Student Violin', 'Viola'],
  ['full size cello', 'Cello 4/4', 'Violin'],
]

async function sellDemo(shop: Store): Promise<void> {
  for (const [at, instrument] of demoInstruments.entries())
    await addInstrument({ ...shop.deps, now: () => at }, 'test', instrument)
}

/** Null if the shop answers as the row says. */
async function fault(shop: Store, [q, first, absent]: Query): Promise<string | null> {
  const { instruments } = await searchInstruments(shop.deps, { q, page: 1, size: 50 })
  const names = instruments.map(({ name }) => name)
  const isFirst = first === '-' ? names.length === 0 : first.split('|').some((part) => names[0]?.includes(part))
  const isAbsent = !names.some((name) => absent !== undefined && name.includes(absent))
  return isFirst && isAbsent ? null : `${q}: ${names.join('; ')}`
}

test.for([
  ['the floor', known],
  ['shoppers', typed],
  ['more shoppers', typedLater],
  ['everyday', everyday],
  ['players', players],
] as const)('finds what is meant, for each query of %s', async ([, queries], { shop }) => {
  await sellDemo(shop)
  const faults: string[] = []
  for (const query of queries) {
    const found = await fault(shop, query)
    if (found !== null) faults.push(found)
  }
  expect(faults).toEqual([])
})
