import { concatenate } from '../bytes'
import { type SlotMarkers, slotNames } from '../rendering/slots'

/**
 * A page with its slots. `bytes` is the page without the markers; `cuts` are the offsets of the markers in
 * bytes, in the order of `slotNames`. The session's fingerprint is inserted at the first offset and the toast
 * at the fifth. The button for a signed-out visitor is between the second and the third offset; the button
 * for a member is between the third and the fourth.
 */
export interface Template {
  bytes: Uint8Array<ArrayBuffer>
  cuts: readonly number[]
}

/** The contents of the slots for one visitor. */
export interface Fragments {
  /** The value of `data-session`; '' for a visitor who is signed out. */
  session: string
  toast: Uint8Array | null
}

/** Removes the markers from a rendered page. Null unless it has each marker once and in order. */
export function createTemplate(html: string, markers: SlotMarkers): Template | null {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  const cuts: number[] = []
  let from = 0
  let length = 0
  const add = (text: string) => {
    const part = encoder.encode(text)
    parts.push(part)
    length += part.byteLength
  }
  for (const name of slotNames) {
    const marker = markers[name]
    const at = html.indexOf(marker, from)
    if (at === -1 || html.indexOf(marker) !== at || html.lastIndexOf(marker) !== at) return null
    add(html.slice(from, at))
    cuts.push(length)
    from = at + marker.length
  }
  add(html.slice(from))
  return { bytes: concatenate(parts), cuts }
}

/** A stored template, from its bytes and its cuts as text. Null if the cuts do not match the bytes. */
export function readTemplate(bytes: Uint8Array<ArrayBuffer>, text: string): Template | null {
  const cuts = text.split(',').map(Number)
  const ascending = cuts.every((cut, index) => Number.isInteger(cut) && cut >= (cuts[index - 1] ?? 0))
  return cuts.length === slotNames.length && ascending && (cuts.at(-1) ?? 0) <= bytes.byteLength
    ? { bytes, cuts }
    : null
}

/** Returns one visitor's page. Copies each byte once. */
export function compose({ bytes, cuts }: Template, { session, toast }: Fragments): Uint8Array<ArrayBuffer> {
  const [start = 0, signedOut = 0, signedIn = 0, accountEnd = 0, toastAt = 0] = cuts
  const [from, to] = session ? [signedIn, toastAt] : [signedOut, signedIn]
  const omitted = session ? signedIn - signedOut : accountEnd - signedIn
  const page = new Uint8Array(bytes.length - omitted + session.length + (toast?.length ?? 0))
  let length = 0
  const add = (part: Uint8Array) => {
    page.set(part, length)
    length += part.length
  }
  add(bytes.subarray(0, start))
  // A fingerprint contains only ASCII characters.
  for (let index = 0; index < session.length; index++) page[length++] = session.charCodeAt(index)
  add(bytes.subarray(start, signedOut))
  add(bytes.subarray(from, to))
  if (!session) add(bytes.subarray(accountEnd, toastAt))
  if (toast) add(toast)
  add(bytes.subarray(toastAt))
  return page
}
