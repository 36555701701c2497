/**
 * The places where a cached page differs between visitors, in the order of the document. The components at
 * these places render the markers: the session's fingerprint on <html>, then both account buttons, each from
 * its own component, then the toast.
 */
export const slotNames = ['session', 'signedOut', 'signedIn', 'accountEnd', 'toast'] as const

export type SlotMarkers = Readonly<Record<(typeof slotNames)[number], string>>

let created: SlotMarkers | undefined

/**
 * The markers of this isolate. They are random and never sent, so no text of a page can contain a marker.
 * Created on first use, because the platform provides no random values while a worker starts.
 */
export function slotMarkers(): SlotMarkers {
  if (!created) {
    const secret = crypto.randomUUID().replaceAll('-', '')
    created = Object.fromEntries(
      slotNames.map((name) => [name, `slot-${secret}-${name};`]),
    ) as unknown as SlotMarkers
  }
  return created
}
