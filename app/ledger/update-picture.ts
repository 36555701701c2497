/**
 * A picture of a pool's update. It is one of the update's links: the path has the SHA-256 of the bytes and the log has
 * the hash of the links, so the log commits to the picture. Size and description are behind the '#'.
 */
export interface UpdatePicture {
  /** On this site. */
  path: string
  /** In pixels. */
  width: number
  height: number
  /** What the picture shows, for those who do not see it. */
  alt: string
}

const pattern = /^https:\/\/[^/]+(\/pictures\/pools\/[a-z-]{1,40}\/[0-9a-f]{64}\.(?:webp|jpg|png))#(.+)$/

/** The link of a picture. Always https, as every link of an update: on a local site it names what the page shows. */
export function toPictureLink(site: string, { path, width, height, alt }: UpdatePicture): string {
  return `https://${new URL(site).host}${path}#${new URLSearchParams({ width: `${width}`, height: `${height}`, alt })}`
}

/** The picture that a link names, or null for any other link. */
export function readPictureLink(link: string): UpdatePicture | null {
  const [, path, fragment] = pattern.exec(link) ?? []
  if (!path || !fragment) return null
  const values = new URLSearchParams(fragment)
  const [width, height] = [Number(values.get('width')), Number(values.get('height'))]
  const alt = values.get('alt')
  return width > 0 && height > 0 && alt ? { path, width, height, alt } : null
}
