/**
 * Returns a document's text. If the document has a byte order mark, the mark gives the encoding. Otherwise
 * the encoding is UTF-8 if the bytes are valid UTF-8, which bytes in a different encoding almost never are.
 * Otherwise the header or the XML declaration gives the encoding. Without either, the encoding is
 * windows-1252, as in browsers.
 */
export function decodeDocument(bytes: Uint8Array<ArrayBuffer>, contentType: string): string {
  const mark =
    bytes[0] === 0xfe && bytes[1] === 0xff
      ? 'utf-16be'
      : bytes[0] === 0xff && bytes[1] === 0xfe
        ? 'utf-16le'
        : null
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 200))
  const named =
    /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ??
    /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})/.exec(start)?.[1]
  // Text in one of these encodings is valid UTF-8 too.
  const isSevenBit = /^(iso-2022-|utf-16|hz-)/i.test(named ?? '')
  for (const label of [mark, isSevenBit && named, 'utf-8', named, 'windows-1252']) {
    const text = label ? decode(bytes, label) : null
    if (text !== null) return text
  }
  return ''
}

/** Returns null for an unknown encoding, or for bytes that are invalid in the encoding. */
function decode(bytes: Uint8Array<ArrayBuffer>, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
