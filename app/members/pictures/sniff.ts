/** A picture's type and size, from its bytes: names and declared types can be set by anyone. */
export interface Sniffed {
  type: 'jpeg' | 'png' | 'webp' | 'avif'
  /** In pixels, as the header states them. */
  width: number
  height: number
  animated: boolean
}

/** Recognises JPEG, PNG, WebP and AVIF by their bytes. Null for other types and damaged headers. */
export function sniff(bytes: Uint8Array): Sniffed | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const found = readJpeg(view) ?? readPng(view) ?? readWebp(view) ?? readAvif(view)
    return found && found.width > 0 && found.height > 0 ? found : null
  } catch (error) {
    // A RangeError means a read past the end of the bytes.
    if (error instanceof RangeError) return null
    throw error
  }
}

export function textAt(view: DataView, offset: number, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(offset + i))
  return text
}

/** JPEG (ITU T.81). Reads the segments up to the frame header, which contains the size. */
function readJpeg(view: DataView): Sniffed | null {
  if (view.getUint16(0) !== 0xff_d8) return null
  for (let offset = 2; ; ) {
    if (view.getUint8(offset) !== 0xff) return null
    const marker = view.getUint8(offset + 1)
    if (marker === 0xff) {
      offset++
      continue
    }
    if (isFrame(marker))
      return {
        type: 'jpeg',
        height: view.getUint16(offset + 5),
        width: view.getUint16(offset + 7),
        animated: false,
      }
    offset += 2 + view.getUint16(offset + 2)
  }
}

/** True for the markers SOF0 to SOF15. The markers DHT, JPG and DAC in the same range do not mark frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** PNG: the header is the first chunk; an animation has `acTL` before its pixels. */
function readPng(view: DataView): Sniffed | null {
  if (view.getUint32(0) !== 0x89_50_4e_47 || view.getUint32(4) !== 0x0d_0a_1a_0a) return null
  if (textAt(view, 12, 4) !== 'IHDR') return null
  let animated = false
  for (let offset = 8; offset + 8 <= view.byteLength; offset += 12 + view.getUint32(offset)) {
    const chunk = textAt(view, offset + 4, 4)
    if (chunk === 'acTL') animated = true
    if (chunk === 'IDAT') break
  }
  return { type: 'png', width: view.getUint32(16), height: view.getUint32(20), animated }
}

/** WebP: the first chunk is lossy (`VP8 `), lossless (`VP8L`) or extended (`VP8X`). */
function readWebp(view: DataView): Sniffed | null {
  if (textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return null
  const chunk = textAt(view, 12, 4)
  if (chunk === 'VP8 ')
    return {
      type: 'webp',
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
      animated: false,
    }
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { type: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, animated: false }
  }
  if (chunk !== 'VP8X') return null
  const size = (offset: number) => 1 + view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16)
  return { type: 'webp', width: size(24), height: size(27), animated: Boolean(view.getUint8(20) & 2) }
}

/** AVIF: `ftyp` contains the brand; the largest `ispe` box of the metadata contains the size. */
function readAvif(view: DataView): Sniffed | null {
  if (textAt(view, 4, 4) !== 'ftyp') return null
  const length = view.getUint32(0)
  const brands = textAt(view, 8, Math.min(length, 256) - 8)
  if (!/avif|avis/.test(brands)) return null
  let width = 0
  let height = 0
  // The metadata is at the start, and it is far smaller than a megabyte.
  const end = Math.min(view.byteLength - 16, 1024 * 1024)
  for (let offset = length; offset < end; offset++) {
    if (view.getUint32(offset) !== 0x69_73_70_65) continue
    width = Math.max(width, view.getUint32(offset + 8))
    height = Math.max(height, view.getUint32(offset + 12))
  }
  return { type: 'avif', width, height, animated: brands.includes('avis') }
}
