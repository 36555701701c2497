import { concatenate } from '../../platform/bytes'
import { sniff, textAt } from './sniff'

/**
 * Copies a JPEG, PNG or still WebP without its metadata and without the bytes after its end. The pixels stay
 * the same. The only metadata in the copy is the orientation of a JPEG. Returns null for other types, and for
 * a truncated or damaged file.
 */
export function strip(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const found = sniff(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (found?.type === 'jpeg') return stripJpeg(bytes, view)
    if (found?.type === 'png') return stripPng(bytes, view)
    if (found?.type === 'webp' && !found.animated) return stripWebp(bytes, view)
    return null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Copies a JPEG with its orientation and what a decoder needs: tables, frames, scans, Adobe's APP14. */
function stripJpeg(bytes: Uint8Array, view: DataView): Uint8Array<ArrayBuffer> | null {
  const parts = [bytes.subarray(0, 2)]
  let orientation = 1
  for (let offset = 2; ; ) {
    if (view.getUint8(offset) !== 0xff) return null
    const marker = view.getUint8(offset + 1)
    if (marker === 0xff) {
      offset++
      continue
    }
    if (marker === 0xd9) {
      parts.push(bytes.subarray(offset, offset + 2))
      if (orientation !== 1) parts.splice(1, 0, orientationSegment(orientation))
      return concatenate(parts)
    }
    const end = offset + 2 + view.getUint16(offset + 2)
    if (end > bytes.byteLength) return null
    if (marker === 0xe1) orientation = readOrientation(view, offset + 4, end) ?? orientation
    if (isDecoded(marker, end - offset)) parts.push(bytes.subarray(offset, end))
    offset = end
    if (marker !== 0xda) continue
    const scan = offset
    // In entropy-coded data, FF is followed by 00, FF or a restart marker, otherwise by the next segment.
    while (view.getUint8(offset) !== 0xff || isScanByte(view.getUint8(offset + 1))) offset++
    parts.push(bytes.subarray(scan, offset))
  }
}

/**
 * True for the segments that a decoder needs: frames and tables (C0 to CF), scans, quantisation tables,
 * restart intervals, and Adobe's segment of 16 bytes.
 */
const isDecoded = (marker: number, length: number) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) ||
  [0xda, 0xdb, 0xdd].includes(marker) ||
  (marker === 0xee && length === 16)

const isScanByte = (next: number) => next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)

/** The orientation of an Exif segment (TIFF tag 0x0112), 1 to 8; null if the segment has no orientation. */
function readOrientation(view: DataView, start: number, end: number): number | null {
  if (end - start < 14 || textAt(view, start, 4) !== 'Exif') return null
  const tiff = start + 6
  const little = view.getUint16(tiff) === 0x49_49
  const directory = tiff + view.getUint32(tiff + 4, little)
  if (directory + 2 > end) return null
  for (let entry = 0; entry < view.getUint16(directory, little); entry++) {
    const at = directory + 2 + entry * 12
    if (at + 12 > end) return null
    if (view.getUint16(at, little) !== 0x01_12) continue
    const value = view.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? value : null
  }
  return null
}

/** An Exif segment with the orientation as its only entry. */
function orientationSegment(orientation: number): Uint8Array {
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0]
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8]
  const directory = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  const length = 2 + exif.length + tiff.length + directory.length
  return new Uint8Array([0xff, 0xe1, 0, length, ...exif, ...tiff, ...directory])
}

/** The chunks that a decoder needs. Without `acTL`, a decoder ignores the frames of an animation. */
const pngChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'sRGB', 'gAMA', 'cHRM', 'sBIT'])

function stripPng(bytes: Uint8Array, view: DataView): Uint8Array<ArrayBuffer> | null {
  const parts = [bytes.subarray(0, 8)]
  for (let offset = 8; ; ) {
    const end = offset + 12 + view.getUint32(offset)
    if (end > bytes.byteLength) return null
    const chunk = textAt(view, offset + 4, 4)
    if (pngChunks.has(chunk)) parts.push(bytes.subarray(offset, end))
    if (chunk === 'IEND') return concatenate(parts)
    offset = end
  }
}

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH'])
/** The flags of `VP8X` for the removed metadata: colour profile, Exif and XMP. */
const webpMetadataFlags = 0b10_1100

function stripWebp(bytes: Uint8Array, view: DataView): Uint8Array<ArrayBuffer> | null {
  const end = 8 + view.getUint32(4, true)
  if (end > bytes.byteLength) return null
  const parts: Uint8Array[] = [bytes.slice(0, 12)]
  for (let offset = 12; offset + 8 <= end; ) {
    const size = view.getUint32(offset + 4, true)
    const next = offset + 8 + size + (size % 2)
    if (next > end) return null
    const chunk = textAt(view, offset, 4)
    if (webpChunks.has(chunk)) {
      const part = bytes.slice(offset, next)
      if (chunk === 'VP8X') part[8] = (part[8] ?? 0) & ~webpMetadataFlags
      parts.push(part)
    }
    offset = next
  }
  const copy = concatenate(parts)
  new DataView(copy.buffer).setUint32(4, copy.byteLength - 8, true)
  return copy
}
