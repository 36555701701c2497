import { isPhotograph, shownUrl, type UpdatePicture } from './update-picture'

/** A picture of an update. A photograph is shown as its small copy, which links to the photograph that was published. */
export function ShownPicture({
  picture,
  className = 'update-picture',
  lang,
  lazy,
}: {
  picture: UpdatePicture
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
      {image}
    </a>
  )
}
