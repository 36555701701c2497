import { isPhotograph, shownUrl, type UpdatePicture } from './update-picture'

/** A picture. A photograph links to what was published; a narrow window shows its small copy. */
export function ShownPicture({
  picture,
  className = 'update-picture',
  lang,
  lazy,
}: {
  /** Its size is unknown for the picture of a goal. */
  picture: Pick<UpdatePicture, 'path' | 'alt'> & Partial<UpdatePicture>
  className?: string
  /** The language of the description. */
  lang: string | undefined
  lazy?: boolean
}) {
  const { path, width, height, alt } = picture
  const image = (
    <img
      src={shownUrl(path)}
      alt={alt}
      lang={lang}
      width={width}
      height={height}
      loading={lazy ? 'lazy' : undefined}
      className={className}
    />
  )
  if (!isPhotograph(picture)) return image
  return (
    <a href={path} className="block">
      <picture>
        <source media="(min-width: 48rem)" srcSet={path} />
        {image}
      </picture>
    </a>
  )
}
