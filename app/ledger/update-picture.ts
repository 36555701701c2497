import { slugPattern } from '../platform/impact-pools.ts'

/**
 * A picture in an update of a pool or of a goal. The picture is one of the update's links. The path of the
 * link has the SHA-256 of the bytes, and the log has the hash of the links, so the log commits to the
 * picture. The fragment of the link has the size and the description.
 *
 * In the demonstration, updates use such links for the site's own drawings.
 */
export interface UpdatePicture {
  /** The path of the picture's URL on this site. */
  path: string
  /** In pixels. */
  width: number
  height: number
  /** A description for people who cannot see the picture. */
  alt: string
  /** Of a photograph: who is on it, where and when it was taken, in the words of its author. */
  who?: string | undefined
  where?: string | undefined
  when?: string | undefined
}

/** The facts of a photograph that its caption states, in this order. */
export const captionFacts = ['who', 'where', 'when'] as const

/** The maximum number of pixels of a side, as in the database function post_goal_update. */
const maxSide = 10_000

const pattern = new RegExp(
  `^https://[^/]+(/pictures/(?:pools/${slugPattern}|goals/[0-9a-f-]{36})/[0-9a-f]{64}\\.(?:webp|jpg|png)|/drawings/scenes/[a-z]+\\.svg)#(.+)$`,
)

/** A picture's link, always https, as the database demands; pages load the path from their own site. */
export function toPictureLink(site: string, { path, width, height, alt, ...caption }: UpdatePicture): string {
  const values = new URLSearchParams({ width: `${width}`, height: `${height}`, alt })
  for (const fact of captionFacts) if (caption[fact]) values.set(fact, caption[fact])
  return `https://${new URL(site).host}${path}#${values}`
}

/** The picture to which a link refers; null for any other link. */
export function readPictureLink(link: string): UpdatePicture | null {
  const [, path, fragment] = pattern.exec(link) ?? []
  if (!path || !fragment) return null
  const values = new URLSearchParams(fragment)
  const [width, height] = [Number(values.get('width')), Number(values.get('height'))]
  const alt = values.get('alt')
  const isSide = (side: number) => Number.isInteger(side) && side > 0 && side <= maxSide
  if (!isSide(width) || !isSide(height) || !alt) return null
  const caption = captionFacts.flatMap((fact) => {
    const said = values.get(fact)
    return said ? [[fact, said] as const] : []
  })
  return { path, width, height, alt, ...Object.fromEntries(caption) }
}

/** True for a photograph, false for a drawing of this site. */
export function isPhotograph({ path }: Pick<UpdatePicture, 'path'>): boolean {
  return path.startsWith('/pictures/')
}

/** The URL of a picture as pages and mails show it: of a photograph the small copy (`members/routes/pictures.ts`). */
export function shownUrl(path: string): string {
  return isPhotograph({ path }) ? `${path}?small` : path
}
