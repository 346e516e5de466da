import { pictureSet, readPictureAddress } from '../../store/catalog/pictures/pictures'

interface PictureProps {
  img: string
  alt: string
  /** In CSS pixels; of another picture than an uploaded one, whose size is known. */
  width: number
  height?: number
  /** How wide it is on the page: the `sizes` of HTML. */
  sizes: string
  lazy?: boolean
}

/** The picture of an instrument: of an uploaded one, the browser chooses size and format. */
export function Picture({ img, alt, width, height = width, sizes, lazy = false }: PictureProps) {
  const picture = readPictureAddress(img)
  const image = (
    <img
      className="product-image"
      loading={lazy ? 'lazy' : undefined}
      {...(picture && { sizes, srcSet: pictureSet(picture, 'webp') })}
      src={img}
      alt={alt}
      width={picture?.width ?? width}
      height={picture?.height ?? height}
    />
  )
  if (!picture) return image
  return (
    <picture>
      <source type="image/avif" srcSet={pictureSet(picture, 'avif')} sizes={sizes} />
      {image}
    </picture>
  )
}
