/** Texts as long as the shop takes them, for what they do to a page. */
export const long = {
  product:
    'Contrabass Clarinet in Bb, Descending to Low C, with Hand-Engraved Silver-Plated Keywork and a Rosewood Travelling Case',
  description:
    'A bore of 28 mm, undercut by hand, and Donaudampfschifffahrtsgesellschaftskapitänsmütze besides. '.repeat(12),
  customer: 'Maximiliana Theodora Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh of Llanfairpwllgwyngyll',
  email: 'maximiliana.theodora.wolfeschlegelsteinhausenbergerdorff@orchestrasofthenorthernisles.com',
  address: ['The Old Instrument Makers’ Guildhall, Third Floor', '221 Donaudampfschifffahrtsgasse', 'Cremona'].join(
    '\n',
  ),
  review: 'We played it in the cold and in the rain, and it never once complained of either. '.repeat(12).trim(),
}
