import { concatenate } from '../platform/bytes.ts'
import { type Bytes, LogError } from './bytes.ts'

/** The number of hashes in a full tile, and of entries in a full bundle (C2SP tlog-tiles, 'Merkle Tree'). */
export const tileWidth = 256

/** A tile of the Merkle tree: `width` consecutive hashes of level 8 × `level`, from 256 × `index` on. */
export interface Tile {
  level: number
  index: number
  width: number
}

/** An entry bundle: `width` consecutive entries, beginning with number 256 × `index`. */
export interface Bundle {
  level: 'entries'
  index: number
  width: number
}

/**
 * The path of a tile below the log's prefix: 'tile/<L>/<N>[.p/<W>]' or 'tile/entries/<N>[.p/<W>]'.
 * tlog-tiles, 'Merkle Tree': '<N> … encoded into zero-padded 3-digit path elements. All but the last path
 * element MUST begin with an x.'
 */
export function tilePath({ level, index, width }: Tile | Bundle): string {
  const digits = `${index}`.padStart(3 * Math.ceil(`${index}`.length / 3), '0')
  const elements = digits.replace(/\d{3}(?=\d)/g, 'x$&/')
  return `tile/${level}/${elements}${width < tileWidth ? `.p/${width}` : ''}`
}

/** Reads a path that `tilePath` wrote. Returns null for any other path, because a tile has only one URL. */
export function parseTilePath(path: string): Tile | Bundle | null {
  const [, level = '', elements = '', width = `${tileWidth}`] =
    /^tile\/(\d{1,2}|entries)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? []
  const index = Number(elements.replace(/\D/g, ''))
  if (!elements || !Number.isSafeInteger(index) || Number(width) < 1 || Number(width) > tileWidth) return null
  if (level !== 'entries' && Number(level) > 63) return null
  const position = { index, width: Number(width) }
  const tile: Tile | Bundle =
    level === 'entries' ? { level, ...position } : { level: Number(level), ...position }
  return tilePath(tile) === path ? tile : null
}

/**
 * The number of hashes in this tile of a tree of `size` entries; 0 if the tile does not exist. tlog-tiles,
 * 'Partial Tiles': 'The partial tile at level l for a tree of size s has floor(s / 256**l) mod 256 entries.'
 */
export function widthAt(size: number, level: number, index: number): number {
  return Math.max(0, Math.min(tileWidth, Math.floor(size / tileWidth ** level) - index * tileWidth))
}

/**
 * Writes a bundle. tlog-tiles, 'Log entries': 'sequences of big-endian uint16 length-prefixed log entries'.
 * Throws a LogError for an entry of more than 65,535 bytes.
 */
export function encodeBundle(entries: Uint8Array[]): Bytes {
  return concatenate(
    entries.flatMap((entry) => {
      if (entry.length > 0xffff) throw new LogError('An entry is longer than 65,535 bytes.')
      return [new Uint8Array([entry.length >> 8, entry.length & 0xff]), entry]
    }),
  )
}
