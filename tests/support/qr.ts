import jsQR from 'jsqr'

/** The text of a QR code drawn as unit squares, `size` modules wide; undefined for other drawings. */
export function decodeQrPath(path: string, size: number, scale = 4): string | undefined {
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let line = 0; line < scale; line++) {
      const from = (Number(y) * scale + line) * width + Number(x) * scale
      for (let at = from; at < from + scale; at++) pixels.fill(0, at * 4, at * 4 + 3)
    }
  return jsQR(pixels, width, width)?.data
}
