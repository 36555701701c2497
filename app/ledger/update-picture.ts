import { slugPattern } from '../impact-pools.ts'

/**
 * A picture of an update of a pool or of a goal. It is one of the update's links: the path has the SHA-256 of the bytes and the log has
 * the hash of the links, so the log commits to the picture. Its size and description are in the URL's fragment.
 *
 * The updates of the demonstration name drawings of the site in the same way.
 */
export interface UpdatePicture {
  /** The path of its URL on this site. */
  path: string
  /** In pixels. */
  width: number
  height: number
  /** What the picture shows, for those who do not see it. */
  alt: string
}

const pattern = new RegExp(
  `^https://[^/]+(/pictures/(?:pools/${slugPattern}|goals/[0-9a-f-]{36})/[0-9a-f]{64}\\.(?:webp|jpg|png)|/drawings/scenes/[a-z]+\\.svg)#(.+)$`,
)

/** The link of a picture. Always https: the database refuses other links. Pages load the path from their own site. */
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
