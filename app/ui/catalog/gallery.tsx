import type { Instrument } from '../../store/catalog/instruments'
import { largestFile, picturesOf } from '../../store/catalog/pictures/picture-lists'
import { Picture } from './picture'
import { t } from '../../i18n/language'

/** All pictures of an instrument in a row that moves sideways; each leads to its largest file. */
export function Gallery({ instrument }: { instrument: Instrument }) {
  const pictures = picturesOf(instrument)
  return (
    <div className="gallery">
      <ul>
        {pictures.map(({ img, alt }, index) => (
          <li key={img} id={`picture-${index + 1}`}>
            <a href={largestFile(img)}>
              <Picture img={img} alt={alt} width={480} sizes="(min-width: 48rem) 28rem, 100vw" lazy={index > 0} />
            </a>
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <nav aria-label={t('Pictures')}>
          {pictures.map(({ img }, index) => (
            <a key={img} href={`#picture-${index + 1}`}>
              <Picture img={img} alt={t('Picture {number}', { number: index + 1 })} width={80} sizes="4.5rem" lazy />
            </a>
          ))}
        </nav>
      )}
    </div>
  )
}
